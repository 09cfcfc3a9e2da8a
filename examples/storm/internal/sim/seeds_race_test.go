//go:build race

package sim_test

// Under the race detector a run takes many times as long, and no figure differs.
var seeds = []uint64{1}
