package retry

// modelContext is a context: the caller's, or that of an attempt.
type modelContext struct {
	parent   *modelContext
	deadline int64
	ends     bool   // it has a deadline
	ended    string // "canceled" or "expired"
	why      *modelError
}

// over is how the context has ended, if it has.
func (c *modelContext) over() string {
	if c.ended == "" && c.parent != nil {
		return c.parent.over()
	}
	return c.ended
}

// cause is why the caller's context has ended, by its own account.
func (c *modelContext) cause() *modelError {
	for c.parent != nil {
		c = c.parent
	}
	if c.why == nil && c.ended != "" {
		return modelKnown[c.ended]
	}
	return c.why
}

func (c *modelContext) nearest() (deadline int64, ok bool) {
	for ; c != nil; c = c.parent {
		if c.ends && (!ok || c.deadline < deadline) {
			deadline, ok = c.deadline, true
		}
	}
	return deadline, ok
}

func (c *modelContext) end(how string, why *modelError) {
	if c.over() == "" {
		c.ended, c.why = how, why
	}
}
