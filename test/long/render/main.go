// Fills in templates as Helm does, with the few of its functions that the templates of the tests use. Reads one JSON value a
// line: {"helpers", "text"}; writes one a line: {"out"} or {"error"}.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/template"
)

type job struct {
	Helpers string
	Text    string
}

func values() map[string]interface{} {
	type m = map[string]interface{}
	return m{
		"Chart":        m{"Name": "web", "Version": "1.0.0", "AppVersion": "2.0"},
		"Release":      m{"Name": "shop", "Namespace": "prod", "Service": "Helm"},
		"Capabilities": m{"new": true},
		"Values": m{
			"enabled": true, "debug": true, "tier": "front", "replicaCount": 2, "logLevel": "warn", "metrics": true,
			"image":       m{"repository": "shop/web", "tag": "1.4", "pullPolicy": "Always"},
			"service":     m{"type": "ClusterIP", "port": 8080, "name": "web"},
			"autoscaling": m{"enabled": false, "min": 1, "max": 3, "cpu": 80},
			"labels":      m{"a": "x", "b": "y"}, "annotations": m{"note": "z"}, "env": m{"ONE": "1", "TWO": "2"},
			"extraArgs":   []interface{}{"-v", "-x"}, "extraEnv": []interface{}{m{"name": "E", "value": "e"}},
			"ports":       []interface{}{m{"name": "p", "port": 1}, m{"name": "q", "port": 2}},
			"instances":   m{"one": m{"x": 1}, "two": m{"x": 2}}, "resources": m{"limits": m{"cpu": "1"}},
			"config":      m{"k": "v", "l": m{"n": 1}}, "secret": "s", "persistence": true, "nodeSelector": m{"disk": "ssd"},
			"ingress":     m{"className": "nginx", "hosts": []interface{}{m{"host": "h"}}, "tls": []interface{}{m{"hosts": []interface{}{"h"}, "secretName": "t"}}},
			"new":         "added", "strategy": "Recreate", "minAvailable": 1, "readinessProbe": m{"periodSeconds": 5},
			"securityContext": m{"runAsUser": 1}, "affinity": m{}, "sidecar": true, "checksum": true, "scrape": true,
		},
	}
}

func toYaml(value interface{}, by int) string {
	pad := strings.Repeat(" ", by)
	switch v := value.(type) {
	case map[string]interface{}:
		keys := []string{}
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		lines := []string{}
		for _, key := range keys {
			if below, is := v[key].(map[string]interface{}); is && len(below) > 0 {
				lines = append(lines, pad+key+":\n"+toYaml(below, by+2))
				continue
			}
			lines = append(lines, pad+key+": "+strings.TrimSpace(toYaml(v[key], 0)))
		}
		return strings.Join(lines, "\n")
	case []interface{}:
		lines := []string{}
		for _, one := range v {
			lines = append(lines, pad+"- "+strings.TrimLeft(toYaml(one, by+2), " "))
		}
		return strings.Join(lines, "\n")
	default:
		return pad + fmt.Sprint(v)
	}
}

func isEmpty(value interface{}) bool {
	truth, ok := template.IsTrue(value)
	return !ok || !truth
}

func indent(by int, text string) string {
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(text, "\n", "\n"+pad)
}

func fill(one job) (out string, err error) {
	all := template.New("")
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var written bytes.Buffer
			err := all.ExecuteTemplate(&written, name, data)
			return written.String(), err
		},
		"toYaml":     func(value interface{}) string { return toYaml(value, 0) },
		"indent":     indent,
		"nindent":    func(by int, text string) string { return "\n" + indent(by, text) },
		"quote":      func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"default":    func(other interface{}, value interface{}) interface{} { if isEmpty(value) { return other }; return value },
		"trunc":      func(length int, text string) string { if len(text) > length { return text[:length] }; return text },
		"trimSuffix": func(suffix string, text string) string { return strings.TrimSuffix(text, suffix) },
		"b64enc":     func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
		"dict":       func(parts ...interface{}) map[string]interface{} { return map[string]interface{}{fmt.Sprint(parts[0]): parts[1]} },
		"join": func(by string, parts []interface{}) string {
			texts := []string{}
			for _, part := range parts {
				texts = append(texts, fmt.Sprint(part))
			}
			return strings.Join(texts, by)
		},
	})
	if _, err = all.Parse(one.Helpers); err != nil {
		return
	}
	main, err := all.New("main").Parse(one.Text)
	if err != nil {
		return
	}
	var written bytes.Buffer
	err = main.Execute(&written, values())
	return written.String(), err
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 0, 1<<20), 1<<26)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var one job
		reply := map[string]string{}
		if err := json.Unmarshal(input.Bytes(), &one); err != nil {
			reply["error"] = err.Error()
		} else if out, err := fill(one); err != nil {
			reply["error"] = err.Error()
		} else {
			reply["out"] = out
		}
		output.Encode(reply)
	}
}
