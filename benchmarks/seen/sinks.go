package main

import (
	"bytes"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// sinks take what contenders give away, so that it can be checked. While calls are timed there are none, since counting would
// be timed as well.
type sinks struct {
	records   *lines
	spans     *spanCount
	decisions *decisions
}

func newSinks() sinks { return sinks{new(lines), new(spanCount), new(decisions)} }

// took is what has gone into the sinks.
func (s sinks) took() tally {
	return tally{records: int(s.records.n.Load()), spans: int(s.spans.n.Load()), decisions: int(s.decisions.n.Load())}
}

// lines counts what is written to it.
type lines struct{ n atomic.Int64 }

func (l *lines) Write(p []byte) (int, error) {
	l.n.Add(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// spanCount counts spans; a nil one does not.
type spanCount struct{ n atomic.Int64 }

func (c *spanCount) add(n int) {
	if c != nil {
		c.n.Add(int64(n))
	}
}

// decisions counts how often a sampler is asked.
type decisions struct {
	sdktrace.Sampler
	n atomic.Int64
}

// ShouldSample asks the sampler.
func (d *decisions) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	d.n.Add(1)
	return d.Sampler.ShouldSample(p)
}
