package wiring

const nameHand = "wired by hand"

var handContender = Contender{Name: nameHand, Build: func() (Built, error) { return Built{Last: wireByHand()}, nil }}
