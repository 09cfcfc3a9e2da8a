//go:build !race

package sim_test

var seeds = []uint64{1, 2, 3, 4}
