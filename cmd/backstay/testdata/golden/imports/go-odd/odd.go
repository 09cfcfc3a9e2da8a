// Package odd is not called like its directory.
package odd

// Number is odd.
type Number int
