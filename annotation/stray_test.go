package annotation_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// Fields that were meant to be marks, each in a service of its own.
type (
	ownType struct {
		_ aliases.Retry `method:"Charge" maxAttempts:"3"`
		methods
	}
	ownTypeBare struct {
		_ aliases.Retry
		methods
	}
	ownTypePointer struct {
		_ *aliases.Retry
		methods
	}
	otherKind struct {
		_ audited `method:"Ping" topic:"ledger"`
		methods
	}
	noType struct {
		_ struct{} `method:"Charge"`
		methods
	}
	sliceOfMarks struct {
		_ []annotation.On[aliases.Retry] `method:"Charge"`
		methods
	}
	arrayOfMarks struct {
		marks [1]annotation.On[aliases.Retry]
		methods
	}
	namedKind struct {
		Retry aliases.Retry `method:"Charge"`
		methods
	}
	embeddedKind struct {
		aliases.Retry `method:"Charge"`
		methods
	}
	strayBelow struct{ ownType }
	endless    []endless
)

func TestFieldsThatWereMeantToBeMarks(t *testing.T) {
	const plainRetry = ": aliases.Retry: the type of the field is aliases.Retry, which attaches nothing; write _ annotation.On[aliases.Retry]"
	const on = "annotation.On[github.com/backstay/backstay/aliases.Retry]"
	_ = arrayOfMarks{}.marks
	for want, got := range map[string][]string{
		"backstay: ownType" + plainRetry + " (ownType._)":               problemsOf[ownType](),
		"backstay: ownTypeBare" + plainRetry + " (ownTypeBare._)":       problemsOf[ownTypeBare](),
		"backstay: namedKind" + plainRetry + " (namedKind.Retry)":       problemsOf[namedKind](),
		"backstay: embeddedKind" + plainRetry + " (embeddedKind.Retry)": problemsOf[embeddedKind](),
		"backstay: strayBelow" + plainRetry + " (ownType._)":            problemsOf[strayBelow](),
		"backstay: ownTypePointer: aliases.Retry: the type of the field is *aliases.Retry, which attaches nothing; write _ annotation.On[aliases.Retry] (ownTypePointer._)":                    problemsOf[ownTypePointer](),
		"backstay: otherKind: annotation_test.audited: the type of the field is annotation_test.audited, which attaches nothing; write _ annotation.On[annotation_test.audited] (otherKind._)": problemsOf[otherKind](),
		"backstay: noType: struct {}: the type of the field is struct {}, which attaches nothing; write _ annotation.On[T], T being the annotation (noType._)":                                 problemsOf[noType](),
		"backstay: sliceOfMarks: aliases.Retry: the type of the field is []" + on + ", which attaches nothing; write _ annotation.On[aliases.Retry] (sliceOfMarks._)":                          problemsOf[sliceOfMarks](),
		"backstay: arrayOfMarks: aliases.Retry: the type of the field is [1]" + on + ", which attaches nothing; write _ annotation.On[aliases.Retry] (arrayOfMarks.marks)":                     problemsOf[arrayOfMarks](),
	} {
		require.Equal(t, []string{want}, got)
	}
}

func TestAFieldThatWasMeantToBeAMarkMayHaveAMalformedTag(t *testing.T) {
	for _, tag := range []reflect.StructTag{`method: "Charge"`, `method:Charge`, `maxAttempts:"3"method:"Charge"`, "maxAttempts:\"3\"\n method:\"Charge\""} {
		marks := annotation.Marks(reflect.StructOf([]reflect.StructField{{Name: "_", PkgPath: "shop", Type: reflect.TypeFor[audited](), Tag: tag}}))
		require.Len(t, marks, 1, tag)
		require.Equal(t, []string{"the type of the field is annotation_test.audited, which attaches nothing; write _ annotation.On[annotation_test.audited]"}, said(marks...))
	}
}

func TestFieldsThatAreNoMarks(t *testing.T) {
	type ordinary struct {
		_       struct{}
		_       [0]func()
		_       endless
		retry   aliases.Retry
		Verb    string `http:"method:GET" methods:"x" json:"method"`
		handled int    `method:"GET"`
	}
	require.Empty(t, annotation.Marks(reflect.TypeFor[ordinary]()))
}

func TestServicesWithoutMarksCostNothing(t *testing.T) {
	typ := reflect.TypeFor[*unmarked]()
	require.Zero(t, testing.AllocsPerRun(100, func() { annotation.Marks(typ) }))
}
