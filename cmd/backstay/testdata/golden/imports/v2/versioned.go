// Package imports is called like the one that imports it.
package imports

// Version is a version.
type Version string
