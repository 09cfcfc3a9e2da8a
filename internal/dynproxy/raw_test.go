//go:build gc && !purego && (amd64 || arm64)

package dynproxy

import (
	"io"
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The self check's failures are not reachable from outside on a toolchain that it
// accepts, so these tests make types whose records are not what reflect tells.

// madeType returns a struct type of its own for each test, whose methods are those
// of secondProbe: Beta and Zeta.
func madeType(t *testing.T) reflect.Type {
	type private struct{}
	made := reflect.StructOf([]reflect.StructField{
		{Name: "P", Type: reflect.TypeFor[private](), Tag: reflect.StructTag(t.Name())},
		{Name: "I", Type: reflect.TypeFor[secondProbe](), Anonymous: true},
	})
	_, err := methodRecords(made, []string{"Beta", "Zeta"})
	require.NoError(t, err)
	return made
}

func TestMethodRecordsThatAreNotWhatReflectTells(t *testing.T) {
	uncommonOf := func(made reflect.Type) *uncommon {
		return (*uncommon)(unsafe.Add(descriptorOf(made), descriptorSize))
	}
	recordsOf := func(made reflect.Type) []methodRecord {
		records, err := methodRecords(made, []string{"Beta", "Zeta"})
		require.NoError(t, err)
		return records
	}
	for _, c := range []struct {
		name   string
		change func(made reflect.Type) (undo func())
		want   string
	}{
		{"count of methods", func(made reflect.Type) func() {
			uncommonOf(made).methods++
			return func() { uncommonOf(made).methods-- }
		}, "3 methods, 2 exported, at offset 16, where reflect has 2"},
		{"offset of records", func(made reflect.Type) func() {
			uncommonOf(made).offset += 4
			return func() { uncommonOf(made).offset -= 4 }
		}, "2 methods, 2 exported, at offset 20, where reflect has 2"},
		{"code for the data word", func(made reflect.Type) func() {
			record := &recordsOf(made)[1]
			before := record.byPointer
			record.byPointer = addReflectOff(codeAt(&methodRoutines[0]))
			return func() { record.byPointer = before }
		}, "method records are laid out differently by this toolchain: Zeta has code"},
		{"order of records", func(made reflect.Type) func() {
			records := recordsOf(made)
			records[0], records[1] = records[1], records[0]
			return func() { records[0], records[1] = records[1], records[0] }
		}, "reflect.StructOf has method Zeta where Beta was expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := madeType(t)
			undo := c.change(made)
			_, err := methodRecords(made, []string{"Beta", "Zeta"})
			undo()
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := methodRecords(reflect.TypeFor[struct{}](), []string{"Beta"})
	require.ErrorContains(t, err, "makes struct {} with 0 methods where 1 were expected")
	_, err = methodRecords(reflect.TypeFor[secondProbe](), []string{"Beta", "Zeta"})
	require.ErrorContains(t, err, "dynproxy.secondProbe")
}

func TestRoutinesThatReflectDoesNotFind(t *testing.T) {
	made := madeType(t)
	methods, err := methodsOf([]reflect.Type{reflect.TypeFor[secondProbe]()})
	require.NoError(t, err)
	require.ErrorContains(t, checkRoutines(made, methods, 0), "method records do not keep what is written: method 0 is Beta")
}

func TestStructOfRefusalIsAnError(t *testing.T) {
	_, err := structOf([]reflect.Type{reflect.TypeFor[interface{ unexported() }]()})
	require.ErrorContains(t, err, "reflect.StructOf refuses it: ")
}

func TestSelfCheckAcceptsThisToolchain(t *testing.T) {
	require.NoError(t, selfCheck())
	require.NoError(t, selfCheck(), "it leaves nothing behind that it would stumble over")
}

func TestSelfCheckThatFailsIsAnError(t *testing.T) {
	passes := func() error { return nil }
	require.NoError(t, run(passes, passes))
	err := run(passes, func() error { return io.EOF }, func() error { panic("not reached") })
	require.ErrorIs(t, err, io.EOF)
	require.EqualError(t, err, "toolchain "+runtime.Version()+" is not as expected: EOF")
	var nowhere *uncommon
	require.EqualError(t, run(func() error { nowhere.methods++; return nil }), "toolchain "+runtime.Version()+
		" is not as expected: the self check panicked: runtime error: invalid memory address or nil pointer dereference")
}

func TestNoProxyTypeIsMadeAfterAFailedSelfCheck(t *testing.T) {
	defer func(before func() error) { support = before }(support)
	support = func() error { return run(func() error { return io.EOF }) }
	type unused interface{ Unused() }
	_, err := TypeOf(reflect.TypeFor[unused]())
	var unsupported *UnsupportedError
	require.ErrorAs(t, err, &unsupported)
	require.EqualError(t, err, "no run-time proxy of dynproxy.unused: toolchain "+runtime.Version()+
		" is not as expected: EOF; generate a proxy: add //go:generate go tool backstay -type unused")
	require.False(t, Supported())
}
