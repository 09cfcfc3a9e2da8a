// Package missing asks for what does not exist.
package missing

//go:generate go tool backstay -type Ledgr,Gateway,net/http.RoundTriper,example.com/nowhere.Thing,total

// Ledger is nearly what is asked for.
type Ledger interface{ Book() error }

const total = 1
