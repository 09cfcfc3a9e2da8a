package shop

import (
	"fmt"
	"strconv"
	"strings"
)

// Order is what a customer wants and how it is to be paid.
type Order struct {
	Number   string
	Customer string
	Item     string
	Card     string
	Total    Cents
}

// Cents is an amount of money.
type Cents int64

// ParseCents reads an amount above zero with two decimals: 49.90.
func ParseCents(s string) (Cents, error) {
	units, decimals, _ := strings.Cut(s, ".")
	n, err := strconv.ParseUint(units+decimals, 10, 40)
	if err != nil || units == "" || len(decimals) != 2 || n == 0 {
		return 0, fmt.Errorf("%q is no amount; write it as 49.90", s)
	}
	return Cents(n), nil
}

func (c Cents) String() string { return fmt.Sprintf("%d.%02d", c/100, c%100) }
