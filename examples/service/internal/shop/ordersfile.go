package shop

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MaxOrders bounds what one file may ask for.
const MaxOrders = 10_000

var columns = []string{"order", "customer", "item", "card", "total"}

// ReadOrders reads orders from CSV. The first line names the columns. An error is one line that says which line of the
// file is wrong; nothing is returned then.
func ReadOrders(r io.Reader) ([]Order, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = len(columns)
	lines.ReuseRecord = true

	header, err := lines.Read()
	if err == nil && !slices.Equal(header, columns) {
		err = fmt.Errorf("%q are not the columns", strings.Join(header, ","))
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w; write %q", plainly(err), strings.Join(columns, ","))
	}
	var orders []Order
	lineOf := map[string]int{}
	for {
		record, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", lineOfError(err), plainly(err))
		}
		line, _ := lines.FieldPos(0)
		o, err := orderOf(record)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if first, twice := lineOf[o.Number]; twice {
			return nil, fmt.Errorf("line %d: order %s is already in line %d", line, o.Number, first)
		}
		if len(orders) == MaxOrders {
			return nil, fmt.Errorf("line %d: more than %d orders", line, MaxOrders)
		}
		lineOf[o.Number] = line
		orders = append(orders, o)
	}
	if len(orders) == 0 {
		return nil, errors.New("line 2: there is no order")
	}
	return orders, nil
}

func orderOf(record []string) (Order, error) {
	for i, field := range record {
		if strings.TrimSpace(field) == "" {
			return Order{}, fmt.Errorf("%s is empty", columns[i])
		}
	}
	total, err := ParseCents(record[4])
	if err != nil {
		return Order{}, fmt.Errorf("total: %w", err)
	}
	if !isCard(record[3]) {
		return Order{}, fmt.Errorf("card: %q is no card number; write 12 to 19 digits", record[3])
	}
	return Order{Number: record[0], Customer: record[1], Item: record[2], Card: record[3], Total: total}, nil
}

func isCard(s string) bool {
	return len(s) >= 12 && len(s) <= 19 && strings.Trim(s, "0123456789") == ""
}

// plainly takes the place off an error of encoding/csv, since the line is told already.
func plainly(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("there are not %d fields", len(columns))
	case errors.As(err, &parse):
		return parse.Err
	}
	return err
}

func lineOfError(err error) int {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return parse.Line
	}
	return 0
}
