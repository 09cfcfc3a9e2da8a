package emit

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// typeWriter writes types as the generated file has to. What the file cannot name is refused, and what is written for it
// then does not matter.
type typeWriter struct {
	scope      *scope
	typeParams map[*types.TypeParam]string // as the generated file calls them
	refuse     func(*obstacle)
}

// text is the type's source.
func (w *typeWriter) text(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		return w.basic(t)
	case *types.Alias:
		if w.scope.obstacle(t.Obj()) != nil {
			return w.text(t.Rhs()) // an alias that cannot be named may be of a type that can
		}
		return w.named(t.Obj(), t.TypeArgs())
	case *types.Named:
		return w.named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		return w.typeParams[t]
	case *types.Pointer:
		return "*" + w.text(t.Elem())
	case *types.Slice:
		return "[]" + w.text(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.text(t.Elem()))
	case *types.Map:
		return fmt.Sprintf("map[%s]%s", w.text(t.Key()), w.text(t.Elem()))
	case *types.Chan:
		return w.channel(t)
	case *types.Signature:
		return "func" + w.signature(t)
	case *types.Struct:
		return w.structure(t)
	case *types.Interface:
		return w.iface(t)
	case *types.Union:
		return w.union(t)
	}
	panic(fmt.Sprintf("emit: no source for the type %v", t))
}

func (w *typeWriter) all(types []types.Type) string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = w.text(t)
	}
	return strings.Join(texts, ", ")
}

func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) string {
	if obj.Pkg() == nil {
		return w.predeclared(obj.Name())
	}
	if o := w.scope.obstacle(obj); o != nil {
		w.refuse(o)
		return obj.Name()
	}
	text := w.scope.qualified(obj)
	if args.Len() > 0 {
		var list []types.Type
		for t := range args.Types() {
			list = append(list, t)
		}
		text += "[" + w.all(list) + "]"
	}
	return text
}

// basic writes a predeclared type, and unsafe.Pointer.
func (w *typeWriter) basic(t *types.Basic) string {
	switch t.Kind() {
	case types.Invalid:
		w.refuse(&obstacle{what: "a type", reason: "does not compile", remedy: "make the package compile first"})
		return t.Name()
	case types.UnsafePointer:
		return w.scope.imports.use(types.Unsafe) + ".Pointer"
	}
	return w.predeclared(t.Name())
}

func (w *typeWriter) predeclared(name string) string {
	text, o := w.scope.predeclared(name)
	if o != nil && !slices.Contains(needed, name) { // else the whole package is refused, once
		w.refuse(o)
	}
	return text
}

func (w *typeWriter) channel(t *types.Chan) string {
	elem := w.text(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if strings.HasPrefix(elem, "<-") {
		return "chan (" + elem + ")" // without them it would be a chan<- of a chan
	}
	return "chan " + elem
}

// signature is what follows func, or the name of a method.
func (w *typeWriter) signature(t *types.Signature) string {
	var params list
	for i := range t.Params().Len() {
		v := t.Params().At(i)
		if t.Variadic() && i == t.Params().Len()-1 {
			params.add(v.Name(), "..."+w.text(v.Type().(*types.Slice).Elem()))
		} else {
			params.add(v.Name(), w.text(v.Type()))
		}
	}
	var results list
	for v := range t.Results().Variables() {
		results.add(v.Name(), w.text(v.Type()))
	}
	return params.parenthesized() + results.asResults()
}

func (w *typeWriter) structure(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct{}"
	}
	fields := make([]string, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		if !f.Exported() && f.Pkg().Path() != w.scope.pkg.Path() {
			w.refuse(unexported("a struct with the field "+f.Name(), f.Pkg()))
		}
		a, ok := f.Type().(*types.Alias)
		switch {
		case !f.Embedded():
			fields[i] = f.Name() + " " + w.text(f.Type())
		case ok:
			fields[i] = w.named(a.Obj(), a.TypeArgs()) // it gives the field its name, so what it is of does not do
		default:
			fields[i] = w.text(f.Type())
		}
		if tag := t.Tag(i); tag != "" {
			fields[i] += " " + quoted(tag)
		}
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

// quoted is a string literal, raw where it can be.
func quoted(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func (w *typeWriter) iface(t *types.Interface) string {
	if t.NumExplicitMethods() == 0 && t.NumEmbeddeds() == 0 {
		return "interface{}"
	}
	var parts []string
	for _, m := range byLine(w.scope.fset, t) {
		if !m.Exported() && m.Pkg().Path() != w.scope.pkg.Path() {
			w.refuse(unexported("an interface with the method "+m.Name(), m.Pkg()))
		}
		parts = append(parts, m.Name()+w.signature(m.Signature()))
	}
	for e := range t.EmbeddedTypes() {
		parts = append(parts, w.text(e))
	}
	return "interface { " + strings.Join(parts, "; ") + " }"
}

func (w *typeWriter) union(t *types.Union) string {
	terms := make([]string, t.Len())
	for i := range terms {
		term := t.Term(i)
		if term.Tilde() {
			terms[i] = "~"
		}
		terms[i] += w.text(term.Type())
	}
	return strings.Join(terms, " | ")
}

// constraint is the type as the constraint of a type parameter.
func (w *typeWriter) constraint(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		if w.scope.obstacle(t.Obj()) != nil {
			return w.constraint(t.Rhs())
		}
	case *types.Named:
		if w.scope.obstacle(t.Obj()) != nil {
			return w.constraint(t.Underlying()) // what counts is its type set
		}
	case *types.Interface:
		if t.IsImplicit() {
			text := w.text(t.EmbeddedType(0))
			if strings.HasPrefix(text, "*") {
				return "interface { " + text + " }" // [P *T] would be the length of an array
			}
			return text
		}
	}
	return w.text(t)
}
