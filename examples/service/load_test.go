package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnOrdersSufficeForTheOutage(t *testing.T) {
	orders, err := load("")
	require.NoError(t, err)
	require.Len(t, orders, 1000)
}

func TestLoadNamesFileAndLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.csv")
	require.NoError(t, os.WriteFile(file, []byte("order,customer,item,card,total\nBS-1,Ada,Line,4242424242424242,x\n"), 0o600))
	_, err := load(file)
	require.EqualError(t, err, file+`: line 2: total: "x" is no amount; write it as 49.90`)

	_, err = load("none.csv")
	require.EqualError(t, err, "open none.csv: no such file or directory")
}
