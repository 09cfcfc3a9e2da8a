// Package dot is imported by a dot, with a name that the generator would like to use.
package dot

// Text is imported by a dot.
type Text string

// RegisterBoxProxy is imported by a dot too.
func RegisterBoxProxy() {}
