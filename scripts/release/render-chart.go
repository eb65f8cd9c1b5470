// Renders deploy/helm as Helm's engine does: Go's text/template with sprig and Helm's own functions. For machines
// without Helm; Debian has the libraries. Reads values as JSON from standard input and prints the manifests.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run scripts/release/render-chart.go deploy/helm RELEASE < values.json
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(text, &values))
	return values
}

// Tables are merged, anything else is replaced, as Helm does.
func merge(base, over map[string]interface{}) map[string]interface{} {
	for key, value := range over {
		table, isTable := value.(map[string]interface{})
		below, wasTable := base[key].(map[string]interface{})
		if isTable && wasTable {
			base[key] = merge(below, table)
		} else {
			base[key] = value
		}
	}
	return base
}

func main() {
	chart, release := os.Args[1], os.Args[2]
	given := map[string]interface{}{}
	check(json.NewDecoder(os.Stdin).Decode(&given))
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	values := merge(readYaml(filepath.Join(chart, "values.yaml")), given)

	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if text, isText := value.(string); value == nil || (isText && text == "") {
			return value, errors.New(message)
		}
		return value, nil
	}
	root.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = root.New(file).Parse(string(text))
		check(err)
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": map[string]interface{}{"Name": release, "Namespace": "default", "Service": "Helm", "IsInstall": true},
	}
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "_") {
			continue
		}
		var text strings.Builder
		check(root.ExecuteTemplate(&text, file, data))
		if strings.HasSuffix(file, ".yaml") {
			fmt.Printf("---\n%s\n", strings.ReplaceAll(text.String(), "<no value>", ""))
		}
	}
}
