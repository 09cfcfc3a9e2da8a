package resolve

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"go/types"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// undefinedHere says why the output's package has no type of the name asked for.
func (r *resolver) undefinedHere(ask plan.Ask) {
	name, pkg := ask.Ref.Name, r.pkg.Types
	for _, f := range r.out.Dir.Declaring(name) {
		switch {
		case r.pkg.Includes(f.Path):
		case r.out.Kind == load.External && !f.External(r.out.Dir.Package()):
			r.problem(ask, fmt.Sprintf("package %s does not declare it, package %s does", pkg.Name(), f.Package), fmt.Sprintf("write %s.%s", r.pkg.Path(), name))
			return
		case r.out.Kind != load.External && f.External(r.out.Dir.Package()):
			r.problem(ask, fmt.Sprintf("it is declared in %s, of package %s", f.Base, f.Package), "put the directive into that file")
			return
		default:
			r.notBuilt(ask, f)
			return
		}
	}
	if errs := r.pkg.ListErrors(); len(errs) > 0 {
		r.problem(ask, "undefined, and the go command says: "+errs[0], "mend that first")
		return
	}
	r.nearMiss(ask, pkg, false)
}

// undefinedIn says why another package has no type of the name asked for.
func (r *resolver) undefinedIn(ask plan.Ask, pkg *types.Package) {
	if meta := r.graph.Find(pkg.Path()); meta != nil && len(meta.IgnoredFiles) > 0 {
		if dir, err := source.ReadDir(meta.Dir); err == nil {
			for _, f := range dir.Declaring(ask.Ref.Name) {
				if !f.Test && slices.Contains(meta.IgnoredFiles, f.Path) {
					r.notBuilt(ask, f)
					return
				}
			}
		}
	}
	r.nearMiss(ask, pkg, true)
}

func (r *resolver) nearMiss(ask plan.Ask, pkg *types.Package, exportedOnly bool) {
	names := interfacesOf(pkg, exportedOnly)
	text := fmt.Sprintf("undefined: package %s declares no type of that name", pkg.Name())
	near := annotation.NearMiss(ask.Ref.Name, names)
	const most = 8
	switch {
	case near != "":
		r.problem(ask, text, fmt.Sprintf("did you mean %s?", strings.Replace(ask.Ref.Text, ask.Ref.Name, near, 1)))
	case len(names) == 1:
		r.problem(ask, text, "its only interface is "+names[0])
	case len(names) > 0 && len(names) <= most:
		r.problem(ask, text, "its interfaces are "+strings.Join(names, ", "))
	default:
		r.problem(ask, text, "write the name of an interface that it declares")
	}
}

// notBuilt says under what the file is built that declares what is asked for.
func (r *resolver) notBuilt(ask plan.Ask, f *source.File) {
	text := fmt.Sprintf("undefined: it is declared in %s, which is built only under %s", f.Base, source.ConstraintText(f.Constraint))
	if f.Constraint == nil {
		r.problem(ask, fmt.Sprintf("undefined: it is declared in %s, which is not built here", f.Base), "see what go list -e . says about the package")
		return
	}
	if tags := missing(f.Constraint, r.out.Tags); tags != "" {
		remedy := "add -tags " + tags
		if r.out.Name == plan.DefaultName || r.out.Name == plan.DefaultTestName {
			remedy += " and a file of its own, for example -o " + plan.OwnName(r.out.Name, tags)
		}
		r.problem(ask, text, remedy)
		return
	}
	r.problem(ask, text, "put the directive into that file, with a file of its own, for example -o "+plan.OwnName(r.out.Name, source.ConstraintText(f.Constraint)))
}

// missing are the tags, comma-separated, that would make the constraint hold here; empty: tags cannot.
func missing(x constraint.Expr, have string) string {
	set := map[string]bool{build.Default.GOOS: true, build.Default.GOARCH: true, "gc": true, "cgo": build.Default.CgoEnabled}
	for _, t := range slices.Concat(strings.Split(have, ","), build.Default.ReleaseTags, build.Default.ToolTags) {
		set[t] = true
	}
	var added []string
	for _, tag := range source.Tags(x) {
		if !set[tag] && !source.IsPlatform(tag) {
			set[tag] = true
			if x.Eval(func(t string) bool { return set[t] }) {
				return strings.Join(append(added, tag), ",")
			}
			added = append(added, tag)
		}
	}
	return ""
}
