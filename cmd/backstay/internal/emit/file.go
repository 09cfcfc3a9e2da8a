// Package emit writes the source of generated proxies: from the types of interfaces to one gofmt-ed file, or to all the
// reasons why there cannot be one.
package emit

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
)

// File is one generated file.
type File struct {
	Fset       *token.FileSet
	Pkg        *types.Package         // the package that the file will be of
	Name       string                 // base name of the file, for the handshake's message
	Constraint string                 // build constraint without "//go:build "; empty: none
	Interfaces []Interface            // sorted, no duplicates
	Replaces   map[string]bool        // package-level names that the file being replaced declares: they do not count as taken
	Taken      map[string]bool        // package-level names of files that Pkg leaves out: tests, other constraints; may be nil
	CanImport  func(path string) bool // whether Pkg may import that package (internal packages, main packages); nil: any
}

// Interface is one interface to make a proxy for.
type Interface struct {
	Obj       *types.TypeName // may be an alias, generic, of another package
	Instances [][]types.Type  // type arguments to register, for generic ones; those that the file cannot name are left out
	Pos       token.Position  // where it was asked for; zero: on the command line
}

// Source returns the gofmt-ed file, or all problems in the order of their places.
func (f *File) Source() ([]byte, []*Problem) {
	s := f.scope()
	problems := f.checkPackage(s)
	w := &typeWriter{scope: s, typeParams: map[*types.TypeParam]string{}}
	var proxies []*proxy
	for _, i := range f.Interfaces {
		p := newProxy(s, i)
		p.nameTypeParams(s)
		for at, name := range p.typeParamNames {
			w.typeParams[typeParamsOf(i.Obj).At(at)] = name
		}
		problems = append(problems, f.check(w, p)...)
		p.dropUnnameable(w)
		proxies = append(proxies, p)
	}
	if len(problems) > 0 {
		return nil, inOrder(problems)
	}
	nameAll(s, proxies)
	return formatted(f.print(w, proxies)), nil
}

// formatted is what gofmt leaves as it is: what it makes of a func on one line can be something that it lays out anew.
func formatted(source []byte) []byte {
	for range 2 {
		var err error
		if source, err = format.Source(source); err != nil {
			panic(fmt.Sprintf("emit: the generated file is no Go: %v", err))
		}
	}
	return source
}
