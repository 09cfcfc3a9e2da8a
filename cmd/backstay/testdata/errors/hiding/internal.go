// Package hiding asks for interfaces with types that it may not import.
package hiding

import _ "errors/hiding/lib"

//go:generate go tool backstay -type errors/hiding/lib.Service,errors/hiding/lib.Repo
//go:generate go tool backstay -type errors/hiding/lib/internal/deep.Doer
