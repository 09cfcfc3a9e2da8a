package wiring

import "go.uber.org/fx"

// NameFx has its log switched off.
const NameFx = "fx"

// fxContender gives what it resolves once, when the application is made; there is nothing to resolve it again by.
var fxContender = Contender{Name: NameFx, Build: func() (built Built, err error) {
	app := fx.New(fx.NopLogger, fx.Provide(constructors...), fx.Invoke(func(t *lastLink) { built.Last = t }))
	return built, app.Err()
}}
