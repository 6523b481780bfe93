package main

import (
	"archive/zip"
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// key is one of a log, as packs and receipts list them.
type key struct {
	Vkey      string  `json:"vkey"`
	Successor *string `json:"successor_signature"`
}

// record is what a pack's line and a receipt's evidence have in common.
type record struct {
	Statement string      `json:"statement"`
	Blinding  string      `json:"blinding"`
	Leaf      *int64      `json:"leaf"`
	Proof     []tlog.Hash `json:"proof"`
}

// verify computes the entry of the record's leaf, and goes from there to the root. The record must be of the log's site.
func (r record) verify(origin string, tree tlog.Tree) error {
	var statement struct {
		Site string `json:"site"`
	}
	if err := decode([]byte(r.Statement), &statement); err != nil {
		return err
	}
	if !strings.HasSuffix(origin, "/ledger/"+statement.Site) {
		return fmt.Errorf("it is of another site")
	}
	blinding, err := base64.StdEncoding.DecodeString(r.Blinding)
	if err != nil || len(blinding) != 16 {
		return fmt.Errorf("a blinding has 16 bytes")
	}
	if r.Leaf == nil {
		return fmt.Errorf("it is not sealed yet")
	}
	commitment := sha256.Sum256(append(blinding, r.Statement...))
	return tlog.CheckRecord(r.Proof, tree.N, tree.Hash, *r.Leaf, tlog.RecordHash(commitment[:]))
}

// names are those that these programs read.
var names = strings.Fields("statement blinding leaf proof vkey successor_signature type origin note consistency " +
	"witnesses path sha256 kind site evidence checkpoint keys records")

// decode refuses what encoding/json would take for one of the names, and other readers would not: "Statement".
func decode(text []byte, value any) error {
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		return err
	}
	if err := exact(whole); err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

func exact(value any) error {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if err := exact(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, member := range value {
			for _, known := range names {
				if name != known && strings.EqualFold(name, known) {
					return fmt.Errorf("%q can be taken for %q", name, known)
				}
			}
			if err := exact(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow goes from a trusted key to those that it and its successors endorsed.
func follow(origin, trusted string, keys []key) ([]note.Verifier, error) {
	var reached []note.Verifier
	for i, k := range keys {
		if len(reached) == 0 && k.Vkey != trusted {
			continue
		}
		if len(reached) > 0 {
			if err := endorsed(origin, keys[i-1], k); err != nil {
				return nil, err
			}
		}
		verifier, err := note.NewVerifier(k.Vkey)
		if err != nil {
			return nil, err
		}
		reached = append(reached, verifier)
	}
	if len(reached) == 0 {
		return nil, fmt.Errorf("the trusted key is none of the log's")
	}
	return reached, nil
}

func endorsed(origin string, old, next key) error {
	if old.Successor == nil {
		return fmt.Errorf("%s has no endorsement", next.Vkey)
	}
	signature, err := base64.StdEncoding.DecodeString(*old.Successor)
	if err != nil {
		return err
	}
	public, err := base64.StdEncoding.DecodeString(strings.SplitN(old.Vkey, "+", 3)[2])
	if err != nil {
		return err
	}
	text := fmt.Sprintf("avow-ledger-key-v1\n%s\n%s\n", origin, next.Vkey)
	if !ed25519.Verify(public[1:], []byte(text), signature) {
		return fmt.Errorf("%s is not endorsed by its predecessor", next.Vkey)
	}
	return nil
}

// line is one of evidence.ndjson, of any type.
type line struct {
	record
	key
	Type      string      `json:"type"`
	Origin    string      `json:"origin"`
	Note      string      `json:"note"`
	Growth    []tlog.Hash `json:"consistency"`
	Witnesses []struct {
		Vkey string `json:"vkey"`
	} `json:"witnesses"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Kind   string `json:"kind"`
	Count  int    `json:"records"`
}

type packFacts struct {
	Size      int64          `json:"size"`
	Records   map[string]int `json:"records"`
	Older     []int64        `json:"older"`
	Witnesses []string       `json:"witnesses"`
	Files     int            `json:"files"`
	Texts     []string       `json:"texts"`
}

func verifyPack(file, vkey string) (*packFacts, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	evidence, err := archive.Open("evidence.ndjson")
	if err != nil {
		return nil, err
	}
	p := &pack{trusted: vkey, archive: &archive.Reader, facts: &packFacts{Records: map[string]int{}}, leaves: map[int64]bool{}}
	lines := bufio.NewReader(evidence)
	for n := 1; ; n++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 {
			if !p.ended {
				return nil, fmt.Errorf("the file is cut off")
			}
			return p.facts, nil
		}
		var l line
		if err := decode(text, &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := p.take(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// pack is one while its lines are read.
type pack struct {
	trusted string
	archive *zip.Reader
	origin  string
	keys    []key
	head    *tlog.Tree
	facts   *packFacts
	// leaves are those of the records so far.
	leaves map[int64]bool
	ended  bool
}

func (p *pack) take(l line) error {
	switch l.Type {
	case "pack":
		p.origin = l.Origin
	case "key":
		p.keys = append(p.keys, l.key)
	case "checkpoint":
		return p.checkpoint(l)
	case "record":
		p.facts.Records[l.Kind]++
		if p.head == nil {
			return fmt.Errorf("there is no checkpoint")
		}
		if err := l.verify(p.origin, *p.head); err != nil {
			return err
		}
		if p.leaves[*l.Leaf] {
			return fmt.Errorf("leaf %d stands twice", *l.Leaf)
		}
		p.leaves[*l.Leaf] = true
	case "file":
		return p.file(l)
	case "end":
		if l.Count != len(p.leaves) {
			return fmt.Errorf("the file says to have %d records, and has %d", l.Count, len(p.leaves))
		}
		p.ended = true
	}
	return nil
}

func (p *pack) checkpoint(l line) error {
	keys, err := follow(p.origin, p.trusted, p.keys)
	if err != nil {
		return err
	}
	for _, w := range l.Witnesses {
		key, err := newWitness(w.Vkey)
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	// It refuses a note with a wrong signature of any of them.
	tree, opened, err := openCheckpoint([]byte(l.Note), keys...)
	if err != nil {
		return err
	}
	logs := 0
	for _, signature := range opened.Sigs {
		if signature.Name == p.origin {
			logs++
		} else {
			p.facts.Witnesses = append(p.facts.Witnesses, signature.Name)
		}
	}
	if len(opened.Sigs)-logs != len(l.Witnesses) {
		return fmt.Errorf("a witness has not signed the checkpoint")
	}
	if logs == 0 {
		return fmt.Errorf("the log has not signed its checkpoint")
	}
	p.facts.Texts = append(p.facts.Texts, opened.Text)
	if p.head == nil {
		p.head, p.facts.Size = &tree, tree.N
		return nil
	}
	p.facts.Older = append(p.facts.Older, tree.N)
	return tlog.CheckTree(l.Growth, p.head.N, p.head.Hash, tree.N, tree.Hash)
}

func (p *pack) file(l line) error {
	file, err := p.archive.Open(l.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	if fmt.Sprintf("%x", hash.Sum(nil)) != l.SHA256 {
		return fmt.Errorf("%s is another file", l.Path)
	}
	p.facts.Files++
	return nil
}

type receiptFacts struct {
	Size int64 `json:"size"`
	Leaf int64 `json:"leaf"`
}

func verifyReceipt(file, vkey string) (*receiptFacts, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var receipt struct {
		Evidence struct {
			record
			Origin     string `json:"origin"`
			Checkpoint string `json:"checkpoint"`
			Keys       []key  `json:"keys"`
		} `json:"evidence"`
	}
	if err := decode(text, &receipt); err != nil {
		return nil, err
	}
	evidence := receipt.Evidence
	keys, err := follow(evidence.Origin, vkey, evidence.Keys)
	if err != nil {
		return nil, err
	}
	tree, _, err := openCheckpoint([]byte(evidence.Checkpoint), keys...)
	if err != nil {
		return nil, err
	}
	if err := evidence.verify(evidence.Origin, tree); err != nil {
		return nil, err
	}
	return &receiptFacts{tree.N, *evidence.Leaf}, nil
}
