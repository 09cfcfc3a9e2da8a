package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// finder walks a package and collects its mutants. A node's mutants are made before those of the nodes inside it, which
// is what the order of edits relies on.
type finder struct {
	pkg     *sourcePackage
	file    *sourceFile
	fn      string
	results []*types.Tuple    // of the functions around the node, innermost last
	skip    map[ast.Node]bool // not to be walked: types, case labels, capacities
	keep    map[ast.Stmt]bool // not to be dropped, since another mutant does the same
	mutants []*mutant
	seq     int
}

// find returns the mutants of a package, numbered from 1 in the order of the source.
func find(pkg *sourcePackage) []*mutant {
	f := &finder{pkg: pkg, skip: map[ast.Node]bool{}, keep: map[ast.Stmt]bool{}}
	for _, f.file = range pkg.files {
		for _, d := range f.file.syntax.Decls {
			f.declaration(d)
		}
	}
	slices.SortStableFunc(f.mutants, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.pos.Filename, b.pos.Filename), cmp.Compare(a.pos.Offset, b.pos.Offset))
	})
	for i, m := range f.mutants {
		m.id = i + 1
	}
	return f.mutants
}

// declaration walks functions and the values of variables. Constants cannot be mutated at run time, and types say
// nothing that runs.
func (f *finder) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		f.fn = functionName(d)
		signature := f.pkg.info.Defs[d.Name].Type().(*types.Signature)
		f.function(signature, d.Body)
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, spec := range d.Specs {
			value := spec.(*ast.ValueSpec)
			f.fn = value.Names[0].Name
			for _, e := range value.Values {
				f.walk(e)
			}
		}
	}
}

// functionName is the name of a function, with its receiver's type in front.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	receiver := d.Recv.List[0].Type
	for {
		switch x := receiver.(type) {
		case *ast.StarExpr:
			receiver = x.X
			continue
		case *ast.IndexExpr:
			receiver = x.X
			continue
		case *ast.IndexListExpr:
			receiver = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}

func (f *finder) function(signature *types.Signature, body *ast.BlockStmt) {
	f.results = append(f.results, signature.Results())
	f.walk(body)
	f.results = f.results[:len(f.results)-1]
}

func (f *finder) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || f.skip[n] {
			return false
		}
		if e, ok := n.(ast.Expr); ok {
			return f.expression(e)
		}
		return f.statement(n)
	})
}

// add makes a mutant without edits. The node is where it is reported.
func (f *finder) add(op string, at token.Pos, did string) *mutant {
	m := &mutant{op: op, pos: f.pkg.fset.Position(at), file: f.file, fn: f.fn, did: did}
	f.mutants = append(f.mutants, m)
	return m
}

// around puts text before and behind a node.
func (f *finder) around(m *mutant, n ast.Node, before, behind string) {
	m.edits = append(m.edits, f.edit(n.Pos(), 0, before, editOpen), f.edit(n.End(), 0, behind, editClose))
}

// edit makes an edit. In its text, # is the number of the mutant; see render.
func (f *finder) edit(at token.Pos, size int, text string, class editClass) *edit {
	f.seq++
	return &edit{offset: f.offset(at), size: size, text: text, class: class, seq: f.seq}
}

func (f *finder) offset(at token.Pos) int { return f.pkg.fset.Position(at).Offset }

// source is the text of a node.
func (f *finder) source(n ast.Node) string {
	return string(f.file.text[f.offset(n.Pos()):f.offset(n.End())])
}

// quoted is the text of a node for a report: one line, not too long.
func (f *finder) quoted(n ast.Node) string {
	const longest = 70
	text := []rune(strings.Join(strings.Fields(f.source(n)), " "))
	if len(text) > longest {
		text = append(text[:longest-3], []rune("...")...)
	}
	return `"` + string(text) + `"`
}
