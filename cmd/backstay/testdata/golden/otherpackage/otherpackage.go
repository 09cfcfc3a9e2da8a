// Package otherpackage makes proxies of interfaces that others have declared.
package otherpackage

import (
	"context"

	"golden/otherpackage/lib"
)

//go:generate go tool backstay -type net/http.RoundTripper,io.ReadWriteCloser,golden/otherpackage/lib.Repo[string,order]

type order struct{ id string }

func load(ctx context.Context, r lib.Repo[int, *order]) (*order, error) { return r.Load(ctx, 1) }
