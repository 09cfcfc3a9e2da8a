package retry

// payment is what the takers were paid for one retry. It lives on the stack.
type payment struct {
	taken   int
	budgets int             // of those taken
	tickets [2]budgetTicket // of the budgets
	more    []budgetTicket  // beyond those
}

func (p *payment) ticket(i int) *budgetTicket {
	if i < len(p.tickets) {
		return &p.tickets[i]
	}
	for len(p.more) <= i-len(p.tickets) {
		p.more = append(p.more, budgetTicket{})
	}
	return &p.more[i-len(p.tickets)]
}

// pay asks the takers in order and returns the limit of the first that refuses, and what a user's said.
func (h *HybridPolicy) pay(s *Session, p *payment) (*limit, error) {
	for i := range h.takers {
		t := &h.takers[i]
		if t.budget == nil {
			if err := t.Take(s); err != nil {
				return t.limit, err
			}
		} else {
			k, ok := t.budget.take()
			if !ok {
				s.state = stateUnpaid
				t.budget.tellRefused(s)
				return t.limit, nil
			}
			*p.ticket(p.budgets) = k
			p.budgets++
		}
		p.taken++
	}
	return nil, nil
}

// giveBack undoes what was taken, in reverse; all of it, also when a taker panics.
func (h *HybridPolicy) giveBack(s *Session, p *payment) {
	if p.taken == 0 {
		return
	}
	defer h.giveBack(s, p)
	p.taken--
	t := &h.takers[p.taken]
	if t.budget == nil {
		t.GiveBack(s)
		return
	}
	p.budgets--
	t.budget.budget.giveBack(*p.ticket(p.budgets))
}
