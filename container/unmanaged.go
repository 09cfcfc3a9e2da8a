package container

// Unmanaged leaves the life of the service to others: [Container.Start], [Container.Stop], [Container.Health] and
// [Scope.Close] call none of its own methods Start, Stop, Close and Health. Hooks, and cleanups that its constructor has
// returned, are called as ever. It is for a service whose methods of these names mean something else, or that has been
// started by its constructor.
func Unmanaged() ProvideOption {
	return provideOption(func(r *registration) { r.unmanaged = true })
}
