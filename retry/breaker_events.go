package retry

// transition is a change of state, to be told.
type transition struct{ from, to BreakerState }

// subscribe adds a func that is told of every change of state from now on. It is called in the goroutine of a call or of
// an operator, without the lock, and never by two goroutines at once; changes are told in the order they happened.
func (b *Breaker) subscribe(f func(from, to BreakerState)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subscribers = append(b.subscribers, f)
}

// announce notes a change for unlock to tell. The lock is held.
func (b *Breaker) announce(from, to breakerMode) {
	if from != to && len(b.subscribers) > 0 {
		b.pending = append(b.pending, transition{from.state(), to.state()})
	}
}

// unlock gives up the lock and tells what is pending. Where somebody is telling already - another goroutine, or this one
// further up, in a subscriber that changed the state - it is left to them.
func (b *Breaker) unlock() {
	if len(b.pending) == 0 || b.telling {
		b.mu.Unlock()
		return
	}
	b.tell()
}

// tell calls the subscribers until nothing is pending, and gives up the lock. When one panics or exits, the rest is told
// at the next change.
func (b *Breaker) tell() {
	b.telling = true
	defer func() {
		b.telling = false
		b.mu.Unlock()
	}()
	for len(b.pending) > 0 {
		change := b.pending[0]
		b.pending = b.pending[1:]
		b.call(change)
	}
}

// call tells the subscribers of one change, all of them, also when one panics. The lock is held, but for the time that they take.
func (b *Breaker) call(change transition) {
	subscribers := b.subscribers
	b.mu.Unlock()
	defer b.mu.Lock()
	each(subscribers, func(f func(from, to BreakerState)) { f(change.from, change.to) })
}
