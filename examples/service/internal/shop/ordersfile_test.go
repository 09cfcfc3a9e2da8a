package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

const header = "order,customer,item,card,total\n"

func TestReadOrders(t *testing.T) {
	orders, err := shop.ReadOrders(strings.NewReader(header +
		"BS-1,Ada Moreno,\"2 x Line, 10 m\",4242424242424242,66.00\n" +
		"BS-2,Zoë Ito,Thimble,378282246310005,3.20")) // no newline at the end
	require.NoError(t, err)
	require.Equal(t, []shop.Order{
		{Number: "BS-1", Customer: "Ada Moreno", Item: "2 x Line, 10 m", Card: "4242424242424242", Total: 6600},
		{Number: "BS-2", Customer: "Zoë Ito", Item: "Thimble", Card: "378282246310005", Total: 320},
	}, orders)
}

func TestReadOrdersNamesTheLine(t *testing.T) {
	const good = "BS-1,Ada,Line,4242424242424242,66.00\n"
	for _, c := range []struct{ name, file, want string }{
		{"empty file", "", `line 1: the file is empty; write "order,customer,item,card,total"`},
		{"other columns", "a,b,c,d,e\n" + good, `line 1: "a,b,c,d,e" are not the columns; write "order,customer,item,card,total"`},
		{"columns missing", "order,total\n" + good, `line 1: there are not 5 fields; write "order,customer,item,card,total"`},
		{"no order", header, "line 2: there is no order"},
		{"field missing", header + good + "BS-2,Ada,Line,66.00\n", "line 3: there are not 5 fields"},
		{"field too many", header + good + "BS-2,Ada,Line,10 m,4242424242424242,66.00\n", "line 3: there are not 5 fields"},
		{"empty field", header + good + "BS-2, ,Line,4242424242424242,66.00\n", "line 3: customer is empty"},
		{"open quote", header + good + "BS-2,\"Ada,Line,4242424242424242,66.00\n", `line 3: extraneous or missing " in quoted-field`},
		{"stray quote", header + good + "BS-2,A\"da,Line,4242424242424242,66.00\n", `line 3: bare " in non-quoted-field`},
		{"bad amount", header + good + "BS-2,Ada,Line,4242424242424242,66\n", `line 3: total: "66" is no amount; write it as 49.90`},
		{"bad card", header + good + "BS-2,Ada,Line,4242-4242-4242,66.00\n", `line 3: card: "4242-4242-4242" is no card number; write 12 to 19 digits`},
		{"an order twice", header + good + "BS-2,Ada,Line,4242424242424242,1.00\n" + good, "line 4: order BS-1 is already in line 2"},
		{"after an item of two lines", header + "BS-1,Ada,\"Line\n10 m\",4242424242424242,66.00\nBS-2,,x,1,1\n", "line 4: customer is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			orders, err := shop.ReadOrders(strings.NewReader(c.file))
			require.EqualError(t, err, c.want)
			require.Nil(t, orders)
		})
	}
}

func TestReadOrdersIsBounded(t *testing.T) {
	var file strings.Builder
	file.WriteString(header)
	for n := range shop.MaxOrders + 1 {
		fmt.Fprintf(&file, "BS-%d,Ada,Line,4242424242424242,1.00\n", n)
	}
	_, err := shop.ReadOrders(strings.NewReader(file.String()))
	require.EqualError(t, err, "line 10002: more than 10000 orders")
}

func TestCents(t *testing.T) {
	for _, s := range []string{"0.01", "3.20", "66.00", "12345678.99"} {
		c, err := shop.ParseCents(s)
		require.NoError(t, err)
		require.Equal(t, s, c.String())
	}
	for _, s := range []string{"", ".", "0.00", "1", "1.", ".50", "1.5", "1.505", "-1.00", "+1.00", "1,00", "1.0.0", "1e3.00", "99999999999.00"} {
		_, err := shop.ParseCents(s)
		require.EqualError(t, err, fmt.Sprintf("%q is no amount; write it as 49.90", s))
	}
}

// Whatever a file holds, it is read whole or refused with a line.
func FuzzReadOrders(f *testing.F) {
	f.Add(header + "BS-1,Ada,Line,4242424242424242,66.00\n")
	f.Add(header + "BS-1,\"A\nda\",Line,4242424242424242,66.00\r\nx")
	f.Add("")
	f.Fuzz(func(t *testing.T, file string) {
		orders, err := shop.ReadOrders(strings.NewReader(file))
		if err != nil {
			require.Regexp(t, `^line [1-9][0-9]*: [^\n]*$`, err.Error())
			require.Nil(t, orders)
			return
		}
		numbers := map[string]bool{}
		for _, o := range orders {
			require.Positive(t, o.Total)
			numbers[o.Number] = true
		}
		require.Len(t, numbers, len(orders))
	})
}
