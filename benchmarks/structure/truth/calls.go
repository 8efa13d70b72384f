// Prints each call below a folder, one JSON object a line: where it stands, and where what it calls is declared. Only the
// standard library is needed: packages that are not here count as empty, and what hangs from them cannot be told. Calls
// that the type checker cannot resolve, calls of variables and parameters, of builtins and conversions are not printed;
// one that leads out of the folder has no targets. Files that this platform and no build tag leave out are not read.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type call struct {
	Path    string           `json:"path"`
	Line    int              `json:"line"`
	Name    string           `json:"name"`
	Targets [][3]interface{} `json:"targets"`
}

type unit struct{ own, inside, outside []*ast.File } // a package, its tests within it and outside of it

var (
	root     string
	set      = token.NewFileSet()
	units    = map[string]*unit{} // by folder
	modules  = map[string]string{}
	checked  = map[string]*types.Package{}
	standard = importer.ForCompiler(set, "source", nil)
	module   = regexp.MustCompile(`(?m)^\s*module\s+"?([^\s"]+)`)
)

func collect() {
	filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			if base := entry.Name(); name != root && (base == "testdata" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		folder := filepath.Dir(name)
		if entry.Name() == "go.mod" {
			if text, err := os.ReadFile(name); err == nil {
				if found := module.FindSubmatch(text); found != nil {
					modules[string(found[1])] = folder
				}
			}
		}
		if fits, err := build.Default.MatchFile(folder, entry.Name()); err != nil || !fits || !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, _ := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if file == nil {
			return nil
		}
		one := units[folder]
		if one == nil {
			one = &unit{}
			units[folder] = one
		}
		switch {
		case strings.HasSuffix(file.Name.Name, "_test"):
			one.outside = append(one.outside, file)
		case strings.HasSuffix(name, "_test.go"):
			one.inside = append(one.inside, file)
		default:
			one.own = append(one.own, file)
		}
		return nil
	})
}

// folderOf is where an imported package lies, "" where it is not below the root.
func folderOf(imported string) string {
	best, found := "", ""
	for name, folder := range modules {
		if (imported == name || strings.HasPrefix(imported, name+"/")) && len(name) > len(best) {
			best, found = name, filepath.Join(folder, strings.TrimPrefix(imported, name))
		}
	}
	if units[found] == nil {
		return ""
	}
	return found
}

type reader struct{}

func (reader) Import(imported string) (*types.Package, error) {
	if found := checked[imported]; found != nil {
		return found, nil
	}
	empty := types.NewPackage(imported, nameOf(imported))
	empty.MarkComplete()
	checked[imported] = empty // a circle meets an empty package
	if folder := folderOf(imported); folder != "" {
		checked[imported] = check(imported, units[folder].own, nil)
	} else if !strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") {
		if found, err := standard.Import(imported); err == nil {
			checked[imported] = found
		}
	}
	return checked[imported], nil
}

var version = regexp.MustCompile(`^v\d+$`)

func nameOf(imported string) string {
	base := path.Base(imported)
	if version.MatchString(base) {
		base = path.Base(path.Dir(imported))
	}
	return strings.TrimPrefix(regexp.MustCompile(`\.v\d+$`).ReplaceAllString(base, ""), "go-")
}

func check(name string, files []*ast.File, info *types.Info) *types.Package {
	settings := types.Config{Importer: reader{}, FakeImportC: true, Error: func(error) {}}
	found, _ := settings.Check(name, set, files, info)
	return found
}

// meant is the name of what is called, and the object behind it.
func meant(called ast.Expr, info *types.Info) (*ast.Ident, types.Object) {
	switch one := called.(type) {
	case *ast.ParenExpr:
		return meant(one.X, info)
	case *ast.IndexExpr:
		return meant(one.X, info)
	case *ast.IndexListExpr:
		return meant(one.X, info)
	case *ast.Ident:
		return one, info.Uses[one]
	case *ast.SelectorExpr:
		if before, ok := one.X.(*ast.Ident); ok {
			if imported, ok := info.Uses[before].(*types.PkgName); ok && info.Uses[one.Sel] == nil {
				if folderOf(imported.Imported().Path()) != "" {
					return one.Sel, nil
				}
				return one.Sel, imported // a function of a package that is not here
			}
		}
		return one.Sel, info.Uses[one.Sel]
	}
	return nil, nil
}

func report(out *json.Encoder, files []*ast.File, info *types.Info) {
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			one, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, object := meant(one.Fun, info)
			if name == nil || object == nil {
				return true
			}
			at := set.PositionFor(name.Pos(), false)
			found := call{at.Filename, at.Line, name.Name, [][3]interface{}{}}
			switch object.(type) {
			case *types.PkgName:
			case *types.Func:
				if target := set.PositionFor(object.Pos(), false); strings.HasPrefix(target.Filename, root+"/") {
					found.Targets = append(found.Targets, [3]interface{}{target.Filename, target.Line, object.Name()})
				}
			default:
				return true
			}
			out.Encode(found)
			return true
		})
	}
}

func main() {
	root, _ = filepath.EvalSymlinks(os.Args[1])
	build.Default.CgoEnabled = false
	collect()
	stdout := bufio.NewWriter(os.Stdout)
	defer stdout.Flush()
	out := json.NewEncoder(stdout)
	folders := []string{}
	for folder := range units {
		folders = append(folders, folder)
	}
	sort.Strings(folders)
	for _, folder := range folders {
		one := units[folder]
		for _, files := range [][]*ast.File{append(append([]*ast.File{}, one.own...), one.inside...), one.outside} {
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
			check(folder, files, info)
			report(out, files, info)
		}
	}
}
