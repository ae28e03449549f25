// Writes what a template comes to, without values: an action becomes a word that stands for its expression with the dot and the
// variables resolved, so that equal words mean the same wherever they stand. Conditions hold all, none, or every second of them;
// with salts, other halves of them for each. Reads one JSON value a line: {"text", "salts"}; writes one JSON value a line: {"variants": [text, ...]} or {"error"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"strings"
	"text/template/parse"
)

type scope struct {
	dot  string
	vars map[string]string
}

func (s scope) inner(dot string) scope {
	vars := map[string]string{}
	for name, text := range s.vars {
		vars[name] = text
	}
	return scope{dot, vars}
}

func hash(text string) uint32 {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	return sum.Sum32()
}

// The last bit of the sum is that of the characters added up: the same for all texts that begin with another salt.
func half(text string) bool {
	return hash(text)*0x85ebca6b>>17&1 == 0
}

type writer struct {
	out   strings.Builder
	text  string
	holds func(condition string) bool
}

func (w *writer) node(node parse.Node, s scope) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				w.node(one, s)
			}
		}
	case *parse.TextNode:
		w.out.Write(n.Text)
	case *parse.ActionNode:
		text := resolve(n.Pipe, s)
		if len(n.Pipe.Decl) > 0 {
			for _, one := range n.Pipe.Decl {
				s.vars[one.Ident[0]] = whole(text)
			}
			return
		}
		w.action(n, text)
	case *parse.TemplateNode:
		// At the top, or with all blanks around it taken away, it is there for what it sets.
		if strings.TrimSpace(w.out.String()) == "" || w.isJoined(int(n.Pos)) && w.isClosedTightly(int(n.Pos)) {
			return
		}
		if w.isJoined(int(n.Pos)) && w.out.Len() > 0 {
			w.out.WriteString("\n")
		}
		w.word("template " + n.Name + " " + resolve(n.Pipe, s))
	case *parse.IfNode:
		inner := s.inner(s.dot)
		text := resolve(n.Pipe, s)
		declare(n.Pipe, inner, text, text)
		w.branch(&n.BranchNode, inner, s.dot, text)
		for name := range s.vars {
			s.vars[name] = inner.vars[name]
		}
	case *parse.WithNode:
		text := resolve(n.Pipe, s)
		inner := s.inner(whole(text))
		declare(n.Pipe, inner, text, text)
		w.branch(&n.BranchNode, inner, s.dot, text)
	case *parse.RangeNode:
		text := "each " + resolve(n.Pipe, s)
		inner := s.inner(whole(text))
		declare(n.Pipe, inner, "key of "+text, text)
		w.branch(&n.BranchNode, inner, s.dot, text)
	}
}

func whole(text string) string {
	if strings.ContainsAny(text, " |") {
		return "(" + text + ")"
	}
	return text
}

// With one variable it is the value, with two the first is the key.
func declare(pipe *parse.PipeNode, s scope, first string, second string) {
	for i, one := range pipe.Decl {
		text := second
		if len(pipe.Decl) == 2 && i == 0 {
			text = first
		}
		s.vars[one.Ident[0]] = whole(text)
	}
}

// In an else the dot is what it is outside.
func (w *writer) branch(n *parse.BranchNode, s scope, outside string, condition string) {
	if w.holds(condition) {
		w.node(n.List, s)
	} else if n.ElseList != nil {
		s.dot = outside
		w.node(n.ElseList, s)
	}
}

// What writes lines of its own: the indentation that it gives them is written, and is no part of the word.
func (w *writer) action(n *parse.ActionNode, text string) {
	pipe := n.Pipe
	last := pipe.Cmds[len(pipe.Cmds)-1]
	name, isFunction := last.Args[0].(*parse.IdentifierNode)
	if isFunction && name.Ident == "fail" {
		return
	}
	if isFunction && len(last.Args) >= 2 && (name.Ident == "nindent" || name.Ident == "indent") {
		if number, is := last.Args[1].(*parse.NumberNode); is && number.IsInt {
			if name.Ident == "nindent" || w.isJoined(int(n.Pos)) {
				w.out.WriteString("\n")
			}
			w.out.WriteString(strings.Repeat(" ", int(number.Int64)))
			cut := strings.LastIndex(text, name.Ident+" ")
			w.word("lines " + strings.TrimRight(text[:cut], " |(") + text[cut+len(name.Ident)+1+len(number.Text):])
			return
		}
	}
	// Lines without the first indentation, behind a dash: the entries of an item.
	if isFunction && name.Ident == "trim" && strings.Contains(text, "indent ") && strings.HasSuffix(w.out.String(), "- ") {
		w.word(text)
		w.out.WriteString(": v")
		return
	}
	if isFunction && name.Ident == "include" && w.isJoined(int(n.Pos)) {
		w.out.WriteString("\n")
	}
	w.word(text)
}

// Whether the action takes the line break before it away, so that it writes behind the line above: what it writes is taken to
// begin with a line break.
func (w *writer) isJoined(at int) bool {
	from := strings.LastIndex(w.text[:at], "{{-")
	if from < 0 || strings.TrimPrefix(strings.TrimSpace(w.text[from+3:at]), "template") != "" {
		return false
	}
	before := strings.TrimRight(w.text[:from], " \t")
	return strings.HasSuffix(before, "\n") && (w.out.Len() == 0 || !strings.HasSuffix(w.out.String(), "\n"))
}

func (w *writer) isClosedTightly(at int) bool {
	end := strings.Index(w.text[at:], "}}")
	return end > 0 && w.text[at+end-1] == '-'
}

func (w *writer) word(text string) {
	kind := "a"
	if os.Getenv("SHOW") != "" {
		kind = "<" + text + ">"
	}
	w.out.WriteString("\u0001" + kind + strconv.FormatUint(uint64(hash(text)), 36) + "\u0002")
}

func resolve(node parse.Node, s scope) string {
	switch n := node.(type) {
	case *parse.PipeNode:
		if n == nil {
			return ""
		}
		parts := []string{}
		for _, one := range n.Cmds {
			parts = append(parts, resolve(one, s))
		}
		return strings.Join(parts, " | ")
	case *parse.CommandNode:
		parts := []string{}
		for _, one := range n.Args {
			text := resolve(one, s)
			if _, is := one.(*parse.PipeNode); is {
				text = "(" + text + ")"
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, " ")
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return s.dot + "." + strings.Join(n.Ident, ".")
	case *parse.VariableNode:
		text, known := s.vars[n.Ident[0]]
		if !known {
			text = n.Ident[0]
		}
		return strings.Join(append([]string{text}, n.Ident[1:]...), ".")
	case *parse.ChainNode:
		return "(" + resolve(n.Node, s) + ")." + strings.Join(n.Field, ".")
	}
	return node.String()
}

func variants(text string, salts []string) (written []string, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%v", problem)
		}
	}()
	tree := parse.New("main")
	tree.Mode = parse.SkipFuncCheck | parse.ParseComments
	trees := map[string]*parse.Tree{}
	if tree, err = tree.Parse(text, "", "", trees); err != nil {
		return
	}
	trees["main"] = tree
	names := []string{}
	for name := range trees {
		names = append(names, name)
	}
	sort.Strings(names)
	choices := []func(string) bool{
		func(string) bool { return true },
		func(string) bool { return false },
		half,
		func(text string) bool { return !half(text) },
		func(text string) bool { return half("other" + text) },
		func(text string) bool { return !half("other" + text) },
	}
	if len(salts) > 0 {
		choices = nil
	}
	for _, salt := range salts {
		salt := salt
		choices = append(choices, func(text string) bool { return half(salt + text) })
	}
	for _, holds := range choices {
		for _, name := range names {
			if trees[name].Root == nil {
				continue
			}
			w := writer{holds: holds, text: text}
			w.node(trees[name].Root, scope{"$", map[string]string{"$": "$"}})
			written = append(written, w.out.String())
		}
	}
	return
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 0, 1<<20), 1<<28)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var job struct {
			Text  string
			Salts []string
		}
		if err := json.Unmarshal(input.Bytes(), &job); err != nil {
			panic(err)
		}
		written, err := variants(job.Text, job.Salts)
		if err != nil {
			output.Encode(map[string]string{"error": err.Error()})
		} else {
			output.Encode(map[string][]string{"variants": written})
		}
	}
}
