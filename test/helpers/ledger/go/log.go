package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// What C2SP tlog-tiles fixes: 256 hashes in a tile.
const height = 8

// log reads the files of a published log, below its URL.
type log struct {
	url     string
	fetched []string
	client  http.Client
}

func (l *log) get(path string) ([]byte, error) {
	l.fetched = append(l.fetched, path)
	answer, err := l.client.Get(l.url + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// pathOf is Go's path of a tile without its height, which the newer format does not name.
func pathOf(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tile.H), "tile/", 1)
}

func (l *log) Height() int                         { return height }
func (l *log) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (l *log) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := l.get(pathOf(tile))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// entries reads a bundle of entries: each has its length before it.
func (l *log) entries(tile tlog.Tile) ([][]byte, error) {
	tile.L = 0
	data, err := l.get(strings.Replace(pathOf(tile), "tile/0/", "tile/entries/", 1))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(data) >= 2 {
		end := 2 + int(binary.BigEndian.Uint16(data))
		if end > len(data) {
			break
		}
		entries = append(entries, data[2:end])
		data = data[end:]
	}
	if len(data) > 0 || len(entries) != tile.W {
		return nil, fmt.Errorf("a bundle of %d entries has %d, and %d bytes more", tile.W, len(entries), len(data))
	}
	return entries, nil
}

type logFacts struct {
	Size    int64    `json:"size"`
	Root    string   `json:"root"`
	Leaves  int      `json:"leaves"`
	Older   int64    `json:"older"`
	Fetched []string `json:"fetched"`
}

// Bundles that are read of a log with more than 4096 leaves: one of 16, and the last.
const some = 16

// verifyLog reads the entries of a log, and proves some of them and an older head by its tiles.
func verifyLog(url, vkey, older string) (*logFacts, error) {
	key, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, err
	}
	l := &log{url: strings.TrimRight(url, "/")}
	text, err := l.get("checkpoint")
	if err != nil {
		return nil, err
	}
	tree, _, err := openCheckpoint(text, key)
	if err != nil {
		return nil, err
	}
	facts := &logFacts{Size: tree.N, Root: tree.Hash.String(), Older: -1}
	if tree.N == 0 {
		return facts, nil
	}
	// It hands out no hash that does not lead to the root.
	reader := tlog.TileHashReader(tree, l)
	for n := int64(0); n < tree.N; n += 1 << height {
		width := int(tree.N - n)
		if width > 1<<height {
			width = 1 << height
		}
		if bundle := n >> height; tree.N > 4096 && bundle%some != 0 && bundle != (tree.N-1)>>height {
			continue
		}
		entries, err := l.entries(tlog.Tile{H: height, N: n >> height, W: width})
		if err != nil {
			return nil, err
		}
		var indexes []int64
		for i := range entries {
			indexes = append(indexes, tlog.StoredHashIndex(0, n+int64(i)))
		}
		hashes, err := reader.ReadHashes(indexes)
		if err != nil {
			return nil, err
		}
		for i, entry := range entries {
			if hash := tlog.RecordHash(entry); !bytes.Equal(hash[:], hashes[i][:]) {
				return nil, fmt.Errorf("entry %d is not the one of its leaf", n+int64(i))
			}
			facts.Leaves++
		}
		if err := l.prove(tree, reader, n, entries[0]); err != nil {
			return nil, err
		}
	}
	if older != "" {
		facts.Older, err = verifyGrowth(older, key, tree, reader)
	}
	facts.Fetched = l.fetched
	return facts, err
}

func (l *log) prove(tree tlog.Tree, reader tlog.HashReader, n int64, entry []byte) error {
	proof, err := tlog.ProveRecord(tree.N, n, reader)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, n, tlog.RecordHash(entry))
}

func verifyGrowth(file string, key note.Verifier, tree tlog.Tree, reader tlog.HashReader) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1, err
	}
	before, _, err := openCheckpoint(text, key)
	if err != nil {
		return -1, err
	}
	proof, err := tlog.ProveTree(tree.N, before.N, reader)
	if err != nil {
		return -1, err
	}
	return before.N, tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash)
}
