// Verifies what a server hands out with the packages of Go's checksum database, which know nothing of Avow.
//
//	foreign vectors             the trees of 0 to 300 leaves, with proofs, as JSON lines
//	foreign log URL VKEY [FILE] a published log; FILE is an older checkpoint of it
//	foreign pack FILE VKEY      an evidence pack
//	foreign receipt FILE VKEY   a visitor's receipt
//
// What was found is one line of JSON. The first thing that is wrong ends it with 1.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	args := os.Args[1:]
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "vectors":
		return writeVectors()
	case len(args) == 3 && args[0] == "log":
		return found(verifyLog(args[1], args[2], ""))
	case len(args) == 4 && args[0] == "log":
		return found(verifyLog(args[1], args[2], args[3]))
	case len(args) == 3 && args[0] == "pack":
		return found(verifyPack(args[1], args[2]))
	case len(args) == 3 && args[0] == "receipt":
		return found(verifyReceipt(args[1], args[2]))
	}
	return fmt.Errorf("vectors | log URL VKEY [FILE] | pack FILE VKEY | receipt FILE VKEY")
}

// found prints what was verified.
func found(facts interface{}, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(facts)
}
