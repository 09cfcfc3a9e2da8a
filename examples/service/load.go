package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

//go:embed orders.csv
var ownOrders []byte

// load reads the orders of a file, or those that come with the example.
func load(file string) ([]shop.Order, error) {
	text := ownOrders
	if file == "" {
		file = "orders.csv"
	} else {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	orders, err := shop.ReadOrders(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return orders, nil
}
