package aspect

// Aspects tells of every aspect of the weaver, outermost first, the retry's included.
func (w *Weaver) Aspects() []AspectDescription {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]AspectDescription, len(w.advice))
	for i, a := range w.advice {
		all[i] = a.describe()
	}
	return all
}
