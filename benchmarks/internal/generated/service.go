// Package generated holds the interface whose proxy is generated. A generated proxy is preferred wherever there is one, so
// that the interface of the run-time proxies has to be another.
package generated

import "context"

//go:generate go tool backstay -type Service

// Service has the methods of the Service that the contenders implement.
type Service interface {
	Get(ctx context.Context, key string) (string, error)
}
