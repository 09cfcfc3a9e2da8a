package container

// rooms are where the parts of a plan are cut from, in blocks: a thousand registrations do not take thousands of
// allocations.
type rooms struct {
	inputs block[input]
	edges  block[edge]
	offers block[offer]
	lists  block[*offer]
}

// newRooms makes rooms for a plan of so many registrations.
func newRooms(registrations int) *rooms {
	return &rooms{block[input]{size: registrations}, block[edge]{size: registrations}, block[offer]{size: registrations}, block[*offer]{size: registrations}}
}

// block is room for elements of one type. The next one has the same size.
type block[T any] struct {
	free []T
	size int
}

// carve returns an empty slice with room for n elements of its own.
func (b *block[T]) carve(n int) []T {
	if len(b.free) < n {
		b.free = make([]T, max(n, b.size))
	}
	some := b.free[:0:n]
	b.free = b.free[n:]
	return some
}
