package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFileInTheTreeIsUpToDate(t *testing.T) {
	want, err := generate(1000)
	require.NoError(t, err)
	got, err := os.ReadFile("../../links_gen.go")
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "links_gen.go is out of date; run: go generate ./wiring")
}
