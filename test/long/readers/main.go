// Reads YAML as Go's yaml.v3 does. Takes one JSON text a line, and writes one JSON value a line: {"documents"}, or {"error"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"gopkg.in/yaml.v3"
)

type tree struct {
	Kind   string  `json:"kind"`
	Value  string  `json:"value"`
	Plain  bool    `json:"plain"`
	Tag    *string `json:"tag"`
	Anchor *string `json:"anchor"`
	Parts  []tree  `json:"parts"`
}

func treeOf(node *yaml.Node) tree {
	made := tree{Value: node.Value, Parts: []tree{}}
	if node.Style&yaml.TaggedStyle != 0 {
		tag := node.Tag
		made.Tag = &tag
	}
	if node.Anchor != "" && node.Kind != yaml.AliasNode {
		anchor := node.Anchor
		made.Anchor = &anchor
	}
	switch node.Kind {
	case yaml.ScalarNode:
		made.Kind = "scalar"
		made.Plain = node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
		if made.Plain && node.Tag == "!!null" && node.Value == "null" && node.Style&yaml.TaggedStyle == 0 {
			made.Value = node.Value
		}
	case yaml.AliasNode:
		made.Kind = "alias"
	case yaml.MappingNode:
		made.Kind = "mapping"
	case yaml.SequenceNode:
		made.Kind = "list"
	}
	if node.Kind != yaml.AliasNode {
		for _, part := range node.Content {
			made.Parts = append(made.Parts, treeOf(part))
		}
	}
	return made
}

func read(text string) (documents []tree, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%v", problem)
		}
	}()
	documents = []tree{}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var node yaml.Node
		if err = decoder.Decode(&node); err == io.EOF {
			return documents, nil
		} else if err != nil {
			return
		}
		if len(node.Content) == 1 {
			documents = append(documents, treeOf(node.Content[0]))
		}
	}
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 0, 1<<20), 1<<28)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var text string
		if err := json.Unmarshal(input.Bytes(), &text); err != nil {
			panic(err)
		}
		documents, err := read(text)
		if err != nil {
			output.Encode(map[string]string{"error": err.Error()})
		} else {
			output.Encode(map[string]interface{}{"documents": documents})
		}
	}
}
