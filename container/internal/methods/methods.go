// Package methods lets the packages below package container ask it for what it tells nobody else.
package methods

// Find tells of a *container.Container whether it has a method: by a method expression, by Class@Method or Class#name@Method.
// Of one that it has not, near is the one that was probably meant, if there is one. It builds nothing, and freezes the plan.
// Package container sets it when it is initialized.
var Find func(c, method any) (has bool, near string)
