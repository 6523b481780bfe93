package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// openCheckpoint verifies the signatures of a checkpoint and reads its three lines. At least one key must have signed.
func openCheckpoint(text []byte, keys ...note.Verifier) (tlog.Tree, *note.Note, error) {
	opened, err := note.Open(text, note.VerifierList(keys...))
	if err != nil {
		return tlog.Tree{}, nil, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return tlog.Tree{}, nil, fmt.Errorf("the checkpoint has %d lines", len(lines)-1)
	}
	if lines[0] != keys[0].Name() {
		return tlog.Tree{}, nil, fmt.Errorf("the checkpoint is of %s", lines[0])
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, nil, err
	}
	hash, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: hash}, opened, err
}

// witness verifies the cosignatures of a C2SP tlog-witness, whose type Go's package does not know.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newWitness(vkey string) (*witness, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no key of a witness: %s", vkey)
	}
	id, err := hex.DecodeString(parts[1])
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return nil, fmt.Errorf("no key of a witness: %s", vkey)
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	if string(sum[:4]) != string(id) {
		return nil, fmt.Errorf("the key of %s has another id", parts[0])
	}
	return &witness{parts[0], binary.BigEndian.Uint32(id), key[1:]}, nil
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }

func (w *witness) Verify(text, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}
