package aspects

// configure applies options to an aspect. A nil one says nothing.
func configure[A any, O ~func(*A)](a *A, opts []O) {
	for _, o := range opts {
		if o != nil {
			o(a)
		}
	}
}
