package dashboard

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/backstay/backstay/retry"
)

// The references of what has no name of its own.
const (
	unnamedRef = "unnamed" // chains without a name
	othersRef  = "others"  // methods beyond those that are kept
)

// methods finds what is kept of a method. Looking up takes no lock; a method that turns up for the first time has the tables
// made anew.
type methods struct {
	most     int
	sessions int // kept of each

	mu    sync.Mutex
	table atomic.Pointer[methodTable]
}

// methodTable is not changed once it is there to be read.
type methodTable struct {
	slots  [256]*slot // a few methods are called most; whoever was there first has its slot
	byRef  map[retry.MethodRef]*method
	byText map[string]*method // several references may read the same, and then are one method
}

// slot holds a method where it is found without hashing its reference.
type slot struct {
	ref retry.MethodRef
	*method
}

// slotOf is where a method is, if it is in a slot: by the lengths and the last letters of its names.
func slotOf(ref *retry.MethodRef) uint8 {
	h := uint8(len(ref.Class) ^ len(ref.Name)<<2 ^ len(ref.Method)<<4)
	for _, name := range [...]string{ref.Class, ref.Name, ref.Method} {
		if n := len(name); n > 0 {
			h = h*31 + name[n-1]
		}
	}
	return h
}

func newMethods(most, sessions int) *methods {
	m := &methods{most: most, sessions: sessions}
	m.table.Store(&methodTable{byRef: map[retry.MethodRef]*method{}, byText: map[string]*method{}})
	return m
}

// of is what is kept of a method.
func (ms *methods) of(ref retry.MethodRef) *method {
	t := ms.table.Load()
	if s := t.slots[slotOf(&ref)]; s != nil && s.ref == ref {
		return s.method
	}
	if m := t.byRef[ref]; m != nil {
		return m
	}
	return ms.add(ref)
}

// add makes room for a method, unless there are too many.
func (ms *methods) add(ref retry.MethodRef) *method {
	if t := ms.table.Load(); len(t.byRef) >= ms.most && t.byText[othersRef] != nil {
		return t.byText[othersRef] // without a lock: whoever has too many chains has them called often
	}
	ms.mu.Lock()
	defer ms.mu.Unlock()
	t := ms.table.Load()
	if m := t.byRef[ref]; m != nil {
		return m
	}
	if ref.Class == "" {
		ref.Name = strings.Clone(ref.Name) // a chain's may be part of what a call brought
	}
	text, full := textOf(ref), len(t.byRef) >= ms.most
	if full {
		text = othersRef
	}
	m := t.byText[text]
	if m != nil && full {
		return m
	}
	t = &methodTable{t.slots, maps.Clone(t.byRef), maps.Clone(t.byText)}
	if m == nil {
		m = newMethod(text, ms.sessions)
		t.byText[text] = m
	}
	if !full {
		t.byRef[ref] = m
		if at := slotOf(&ref); t.slots[at] == nil {
			t.slots[at] = &slot{ref, m}
		}
	}
	ms.table.Store(t)
	return m
}

// find is the method that a reference names, or nil.
func (ms *methods) find(text string) *method { return ms.table.Load().byText[text] }

// all are the methods that were called, sorted by reference.
func (ms *methods) all() []*method {
	return slices.SortedFunc(maps.Values(ms.table.Load().byText), func(a, b *method) int { return cmp.Compare(a.ref, b.ref) })
}

// textOf is the reference of a method as text.
func textOf(ref retry.MethodRef) string { return cmp.Or(ref.String(), unnamedRef) }
