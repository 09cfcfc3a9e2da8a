package resolve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/plan"
)

// arguments are the type arguments of an ask, evaluated where its directive stands, or nil after a problem.
func (r *resolver) arguments(ask plan.Ask, obj *types.TypeName) []types.Type {
	generic, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList })
	if !ok || generic.TypeParams().Len() == 0 {
		r.problem(ask, obj.Name()+" is not generic", "leave out the brackets")
		return nil
	}
	paths := map[string]string{} // import path to the name that stands for it
	text := pathInArgs.ReplaceAllStringFunc(ask.Ref.Args, func(named string) string {
		dot := strings.LastIndexByte(named, '.')
		path := named[:dot]
		if paths[path] == "" {
			paths[path] = fmt.Sprintf("backstay_%d_%d", r.imports, len(paths))
		}
		return paths[path] + named[dot:]
	})
	r.imports++
	imported := map[string]*types.Package{}
	for path, name := range paths {
		pkg := r.imported(ask, path)
		if pkg == nil {
			return nil
		}
		imported[name] = pkg
	}

	var failed string
	for _, file := range r.files(ask) {
		scope := r.pkg.Info.Scopes[file]
		for name, pkg := range imported {
			scope.Insert(types.NewPkgName(token.NoPos, r.pkg.Types, name, pkg))
		}
		args, err := r.eval(file.Package, text)
		if err == nil {
			if _, err = types.Instantiate(nil, obj.Type(), args, true); err == nil {
				return args
			}
		}
		failed = message(err)
		for path, name := range paths {
			failed = strings.ReplaceAll(failed, name, path)
		}
		if !strings.HasPrefix(failed, "undefined") {
			break
		}
	}
	if len(r.files(ask)) == 0 {
		failed = ask.File.Base + " is not part of the build"
	}
	remedy := "write arguments that fit " + obj.Name() + typeParams(generic.TypeParams())
	if name, ok := strings.CutPrefix(failed, "undefined: "); ok && strings.Contains(name, ".") {
		remedy = "write a type that the package declares"
	} else if ok {
		remedy = "import its package in the file with the directive, or write the type with the whole import path"
	}
	r.problem(ask, failed, remedy)
	return nil
}

// eval evaluates a list of types at a position.
func (r *resolver) eval(pos token.Pos, list string) (args []types.Type, err error) {
	expr, err := parser.ParseExpr("_[" + list + "]")
	if err != nil {
		return nil, fmt.Errorf("the type arguments %s cannot be read", list)
	}
	var parts []ast.Expr
	switch x := expr.(type) {
	case *ast.IndexExpr:
		parts = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		parts = x.Indices
	default:
		return nil, fmt.Errorf("the type arguments %s cannot be read", list)
	}
	for _, part := range parts {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err := types.CheckExpr(r.graph.Fset, r.pkg.Types, pos, part, info); err != nil {
			return nil, err
		}
		value := info.Types[part]
		if !value.IsType() || !valid(value.Type) {
			return nil, fmt.Errorf("%s is not a type", types.ExprString(part))
		}
		args = append(args, value.Type)
	}
	return args, nil
}

// message is the compiler's message without its made-up position.
func message(err error) string {
	if e, ok := errors.AsType[types.Error](err); ok {
		return e.Msg
	}
	if e, ok := errors.AsType[*types.ArgumentError](err); ok {
		return e.Err.Error()
	}
	return position.ReplaceAllString(err.Error(), "")
}

var position = regexp.MustCompile(`^(-|[^ ]*:\d+(:\d+)?): `)

func typeParams(list *types.TypeParamList) string {
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+types.TypeString(p.Constraint(), (*types.Package).Name))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// addUsed adds the instantiations of a generic interface that the package's code holds. Those that depend on type
// parameters of their own are none yet.
func (r *resolver) addUsed(w *wanted) {
	for _, used := range r.pkg.Info.Instances {
		named, ok := used.Type.(interface {
			Obj() *types.TypeName
			TypeArgs() *types.TypeList
		})
		if !ok || named.TypeArgs().Len() == 0 {
			continue
		}
		if named.Obj() != w.obj {
			behind, ok := types.Unalias(used.Type).(*types.Named)
			if !ok || behind.Origin().Obj() != w.obj {
				continue
			}
			named = behind
		}
		args := slices.Collect(named.TypeArgs().Types())
		if !slices.ContainsFunc(args, func(t types.Type) bool { return !valid(t) || !closed(t) }) {
			w.instances = append(w.instances, args)
		}
	}
}

// inOrder sorts instantiations by their text, and drops repeated ones.
func inOrder(all [][]types.Type) [][]types.Type {
	text := func(args []types.Type) string {
		var parts []string
		for _, t := range args {
			parts = append(parts, types.TypeString(t, nil))
		}
		return strings.Join(parts, ",")
	}
	slices.SortFunc(all, func(a, b []types.Type) int { return strings.Compare(text(a), text(b)) })
	var distinct [][]types.Type
	for _, args := range all {
		if !slices.ContainsFunc(distinct, func(other []types.Type) bool {
			return slices.EqualFunc(args, other, types.Identical)
		}) {
			distinct = append(distinct, args)
		}
	}
	return distinct
}
