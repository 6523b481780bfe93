package main

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

type proof struct {
	// The leaf that is proven, or the size of the older tree.
	Of     int64       `json:"of"`
	Hashes []tlog.Hash `json:"hashes"`
}

type vector struct {
	Size        int64     `json:"size"`
	Root        tlog.Hash `json:"root"`
	Inclusion   []proof   `json:"inclusion"`
	Consistency []proof   `json:"consistency"`
}

// Entry n is the number n in 32 bytes, big-endian.
func entry(n int64) []byte {
	data := make([]byte, 32)
	data[30], data[31] = byte(n>>8), byte(n)
	return data
}

// writeVectors prints the trees of 0 to 300 entries, of each one proofs for places that lie apart and at its ends.
func writeVectors() error {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	encoder := json.NewEncoder(os.Stdout)
	for size := int64(0); size <= 300; size++ {
		v, err := vectorOf(size, reader)
		if err != nil {
			return fmt.Errorf("size %d: %w", size, err)
		}
		if err := encoder.Encode(v); err != nil {
			return err
		}
		hashes, err := tlog.StoredHashes(size, entry(size), reader)
		if err != nil {
			return err
		}
		stored = append(stored, hashes...)
	}
	return nil
}

func vectorOf(size int64, reader tlog.HashReader) (v vector, err error) {
	v.Size = size
	if v.Root, err = tlog.TreeHash(size, reader); err != nil {
		return v, err
	}
	for at := int64(0); at < size; at++ {
		if size > 20 && at > 2 && at < size-2 && at%13 != 0 {
			continue
		}
		inclusion, err := tlog.ProveRecord(size, at, reader)
		if err != nil {
			return v, err
		}
		v.Inclusion = append(v.Inclusion, proof{at, inclusion})
		consistency, err := tlog.ProveTree(size, at+1, reader)
		if err != nil {
			return v, err
		}
		v.Consistency = append(v.Consistency, proof{at + 1, consistency})
	}
	return v, nil
}
