// Package testfile has interfaces in tests only.
package testfile

// Count is used by both.
type Count int

// Zero is where counts begin.
const Zero Count = 0
