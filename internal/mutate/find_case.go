package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// cases mutates a switch: each element of each case list is left out. A case of a switch without a tag is a condition,
// and is also made always true.
func (f *finder) cases(n *ast.SwitchStmt) {
	hasDefault := false
	for _, s := range n.Body.List {
		hasDefault = hasDefault || s.(*ast.CaseClause).List == nil
	}
	leave := f.caseRemover(n)
	for _, s := range n.Body.List {
		clause := s.(*ast.CaseClause)
		for _, e := range clause.List {
			switch {
			case n.Tag == nil:
				f.condition(opCase, e, "removed case %s")
			case leave != nil && (hasDefault || len(clause.Body) > 0):
				leave(e)
			}
			f.skip[e] = n.Tag != nil // labels are constants in spirit even where they are variables
		}
	}
}

// caseRemover returns what leaves one element out of a case list of a switch with a tag: it compares the tag with
// something that the tag is not. It is nil where there is no such thing.
func (f *finder) caseRemover(n *ast.SwitchStmt) func(ast.Expr) {
	if n.Tag == nil || f.pkg.info.Types[n.Tag].Value != nil {
		return nil
	}
	helper := ""
	t := f.pkg.info.TypeOf(n.Tag)
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
		helper = "mutantCase"
	} else if ok && basic.Info()&types.IsString != 0 {
		helper = "mutantCaseString"
	} else if types.Identical(t, types.Universe.Lookup("error").Type()) {
		helper = "mutantCaseError"
	} else {
		return nil
	}
	tag := "mutantTag"
	var names []*edit // the tag gets a name, so that it is evaluated once; all mutants of the switch share these edits
	if n.Init == nil {
		names = []*edit{f.edit(n.Tag.Pos(), 0, "mutantTag := ", editOpen), f.edit(n.Tag.End(), 0, "; mutantTag", editClose)}
	} else if _, simple := n.Tag.(*ast.Ident); simple {
		tag = f.source(n.Tag)
	} else {
		return nil
	}
	return func(e ast.Expr) {
		m := f.add(opCase, e.Pos(), "removed "+f.quoted(e)+" from the cases of switch "+f.quoted(n.Tag))
		m.edits = append(m.edits, names...)
		f.around(m, e, helper+"(#, "+tag+", ", ")")
	}
}

// communication leaves a case out of a select: it waits for a nil channel.
func (f *finder) communication(s ast.Stmt) {
	var channel ast.Expr
	helper := "mutantReceive"
	received := func(e ast.Expr) {
		if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && x.Op == token.ARROW {
			channel = x.X
		}
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		received(s.X)
	case *ast.AssignStmt:
		received(s.Rhs[0])
	case *ast.SendStmt:
		channel, helper = s.Chan, "mutantSend"
	}
	if channel == nil {
		return
	}
	m := f.add(opCase, s.Pos(), "removed case "+f.quoted(s)+" of a select")
	f.around(m, channel, helper+"(#, ", ")")
}
