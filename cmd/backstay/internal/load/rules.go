package load

import "strings"

// Reaches reports whether the package from imports the package to, directly or not, or is it.
func (g *Graph) Reaches(from, to string) bool {
	if from == to {
		return true
	}
	key := [2]string{from, to}
	known, ok := g.reaches[key]
	if ok {
		return known
	}
	g.reaches[key] = false // of cycles, which are errors anyway
	p := g.byID[from]
	if p == nil {
		return false
	}
	for _, i := range p.Imports {
		if g.Reaches(i.ID, to) {
			g.reaches[key] = true
			return true
		}
	}
	return false
}

// CanImport reports whether a file of package p may import the package with that path, as far as the rules about main
// packages, internal packages and cycles go.
func (g *Graph) CanImport(p *Package, path string) bool {
	if to := g.byID[path]; to != nil && to.Name == "main" {
		return false
	}
	self := p.meta.PkgPath
	if p.meta.ForTest != "" {
		self = p.meta.ForTest
	}
	if !mayUseInternal(self, path) {
		return false
	}
	return p.kind == External || !g.Reaches(path, self)
}

// mayUseInternal is the go command's rule: what is below a directory called internal is for the tree around that.
func mayUseInternal(from, path string) bool {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			parent := strings.Join(parts[:i], "/")
			return i > 0 && (from == parent || strings.HasPrefix(from, parent+"/"))
		}
	}
	return true
}
