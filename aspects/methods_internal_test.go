package aspects

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Two first calls of a method may both find nothing. Only here can they be put in that order for certain.
func TestOfSeveralFirstCallsAllGetWhatOneHasMade(t *testing.T) {
	var m methods[*int]
	get, save := aspect.MetMethod{Ref: retry.MethodRef{Class: "PgUsers", Method: "Get"}}, aspect.MetMethod{Ref: retry.MethodRef{Class: "PgUsers", Method: "Save"}}
	made := new(int)
	create := func(aspect.MetMethod) *int { return new(int) }
	require.Same(t, made, m.add(get, func(aspect.MetMethod) *int { return made }))
	require.Same(t, made, m.add(get, create))
	require.NotSame(t, made, m.add(save, create))
	got, ok := m.of(get.Ref)
	require.True(t, ok)
	require.Same(t, made, got)
}
