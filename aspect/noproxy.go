package aspect

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/internal/dynproxy"
)

// notGenerated says that a generated proxy is missing, and how to make it.
func notGenerated(s *Service, interfaces []reflect.Type) error {
	d := &annotation.DefinitionError{Ref: s.Ref, Place: s.Place}
	if len(interfaces) == 1 {
		i := interfaces[0]
		d.Problem = fmt.Sprintf("there is no generated proxy for %v, and RequireGenerated refuses one made at run time", i)
		where, name := generateWhere(i)
		d.Remedy = fmt.Sprintf("write %s: //go:generate go tool backstay -type %s", where, name)
		if i.Name() == "" {
			d.Remedy = "give the interface a name, say X, and write beside it: //go:generate go tool backstay -type X"
		}
		return d
	}
	d.Problem = fmt.Sprintf("it is provided as %v, there is no generated proxy for an interface of just their methods, and RequireGenerated refuses one made at run time",
		typeList(interfaces))
	d.Remedy = "declare such an interface, say X, that embeds them, and write beside it: //go:generate go tool backstay -type X"
	return d
}

// generateWhere is where the line that generates the proxy of t belongs, and what it calls t: with its type arguments, which
// are what has to be registered. An interface of somebody else's module cannot have the line beside it.
func generateWhere(t reflect.Type) (where, name string) {
	where, name = "beside the interface", annotation.ClassOf(t).Short
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" && t.PkgPath() != "main" && !isUnder(t.PkgPath(), info.Main.Path) {
		where, name = "in a package of yours", t.PkgPath()+"."+name
	}
	if strings.Contains(name, "[") {
		name = "'" + name + "'"
	}
	return where, name
}

// isUnder reports whether the package is of the module.
func isUnder(pkg, module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }

func typeList(all []reflect.Type) string {
	texts := make([]string, len(all))
	for i, t := range all {
		texts[i] = t.String()
	}
	slices.Sort(texts)
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}

// noProxy says why there can be no proxy of a service, and what to do.
func noProxy(s *Service, err error) error {
	d := &annotation.DefinitionError{Ref: s.Ref, Place: s.Place, Problem: err.Error()}
	if overlap := new(dynproxy.OverlapError); errors.As(err, &overlap) {
		d.Problem = fmt.Sprintf("it is provided as %v and as %v, and both have a method %s", overlap.A, overlap.B, overlap.Method)
		d.Remedy = "declare one interface that embeds both, and provide it as that one interface"
	}
	if unsupported := new(dynproxy.UnsupportedError); errors.As(err, &unsupported) {
		d.Problem, d.Remedy = unsupported.Reason, unsupported.Remedy()
	}
	return d
}
