package dashboard

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// Latencies are counted in buckets that grow with them: four to each doubling, so that the middle of a bucket is within an
// eighth of what is in it. The smallest are four of a latencyUnit each; the last one has no end, and begins where the others have
// reached two minutes.
const (
	latencyUnit    = 4096 * time.Nanosecond
	latencyBuckets = 96
)

// bucketOf is the bucket of a latency.
func bucketOf(d time.Duration) int {
	if d < 0 {
		return 0
	}
	v := uint64(d / latencyUnit)
	if v < 4 {
		return int(v)
	}
	octave := bits.Len64(v) - 3
	return min(4*octave+int(v>>octave), latencyBuckets-1)
}

// latencyOf is the middle of a bucket.
func latencyOf(bucket int) time.Duration {
	if bucket < 4 {
		return time.Duration(bucket)*latencyUnit + latencyUnit/2
	}
	octave := bucket/4 - 1
	low, width := time.Duration(4+bucket%4)<<octave, time.Duration(1)<<octave
	return low*latencyUnit + width*latencyUnit/2
}

// latencies counts those of one second. When a bucket is full all are halved, so that they keep their proportions, which are
// all that percentiles need; of a second with so many calls they tell no more than that.
type latencies [latencyBuckets]uint16

func (h *latencies) add(bucket int) {
	if h[bucket] == math.MaxUint16 {
		for i := range h {
			h[i] /= 2
		}
	}
	h[bucket]++
}

func (h *latencies) addAll(other *latencies) {
	var sum latencySum
	sum.addAll(h)
	sum.addAll(other)
	tooLong := max(bits.Len32(slices.Max(sum[:]))-16, 0)
	for i, n := range sum {
		h[i] = uint16(n >> tooLong)
	}
}

// latencySum is what several seconds have counted together.
type latencySum [latencyBuckets]uint32

func (s *latencySum) addAll(h *latencies) {
	for i, n := range h {
		s[i] += uint32(n)
	}
}

// quantile is the latency that a share of the calls did not pass; 0 when there were none.
func (s *latencySum) quantile(share float64) time.Duration {
	var total uint64
	for _, n := range s {
		total += uint64(n)
	}
	if total == 0 {
		return 0
	}
	rank := uint64(math.Ceil(share * float64(total)))
	for bucket, n := range s {
		if rank <= uint64(n) {
			return latencyOf(bucket)
		}
		rank -= uint64(n)
	}
	return latencyOf(latencyBuckets - 1)
}
