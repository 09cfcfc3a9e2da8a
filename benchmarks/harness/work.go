// Package harness measures contenders side by side.
//
// It has a loop of its own, rather than testing.Benchmark, for four reasons. Every pass must measure each contender once
// and briefly, next to its rivals, so that a machine that drifts drifts for all of them; a benchmark that is repeated ten
// times in a row cannot do that. What an operation costs is known from the pass before, so that a build of 200 ms is not
// done over and over to find out how often it fits into the time. In parallel each goroutine runs a plain loop, without
// the shared counter of testing.PB. And what was timed is checked: an operation that was called n times must have done
// its work n times.
//
// Figures of one pass belong together. Ratios and differences are taken pass by pass, and their median is what counts;
// the median of one contender over the median of another would mix fast minutes with slow ones.
package harness

// Work is something that several contenders can do. Each Work becomes one table.
type Work struct {
	Name      string
	About     string // what is done and what the contenders are, as a paragraph of Markdown
	Reference string // the name of the case that the others are compared with
	Parallel  bool   // by as many goroutines as GOMAXPROCS says
	Cases     []Case
}

// Case is one contender at one work.
type Case struct {
	Name string
	New  func() (Op, error) // sets up one measurement, which is not timed
}

// Op is what is timed.
type Op struct {
	// Run does the work n times and reports what went wrong. Worker, counted from 0, is which of the goroutines it runs
	// in; without Parallel always 0.
	Run func(worker, n int) error

	// Done checks that all the work was done: n times in all, warming up included. It lets go of what New has made. It may
	// be nil.
	Done func(n int) error
}

// Sample is one measurement, per operation.
type Sample struct {
	Nanos  float64
	Bytes  float64
	Allocs float64
}
