package wiring

import "github.com/samber/do/v2"

// NameDo is the library that resolves in constructors rather than by their parameters.
const NameDo = "samber/do"

var doContender = Contender{Name: NameDo, Build: func() (built Built, err error) {
	i := do.New()
	provideDo(i)
	built.Resolve = func() (*lastLink, error) { return do.Invoke[*lastLink](i) }
	built.Last, err = built.Resolve()
	return built, err
}}
