package aspects

import (
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/aspect"
)

// Cacheable says that the results of a method may be kept, for those who call it with the same arguments. [CacheAspect]
// reads it.
//
// Put it on methods whose results follow from their arguments alone. The context is no part of the key: a method that reads
// the tenant or the user from it would give one's results to another, unless Key adds them.
type Cacheable struct {
	// TTL is how long results are kept, from when the call returned: a microsecond or more. It has to be written.
	TTL time.Duration
	// MaxEntries is how many results are kept at most; those that were used the longest ago go first. 0 is 1000.
	MaxEntries int
	// Name lets methods share one cache of MaxEntries, which [CacheAspect.Invalidate] finds by that name. Each still has its
	// own entries. Without a name the method has a cache of its own.
	Name string
	// KeyArgs are the positions of the arguments that make the key, counted as by aspect.Arg: 0 is the first, even if it is
	// a context, which can be in no key. Without them all arguments but contexts do.
	KeyArgs []int
	// Key makes the key, where arguments cannot: a value that can be compared. It takes the place of KeyArgs, is set by
	// annotation.Set, and must be safe for concurrent use.
	Key func(jp aspect.JoinPoint) any
}

// defaultMaxEntries bounds a cache whose annotation does not.
const defaultMaxEntries = 1000

// Validate says what is wrong with the settings.
func (c Cacheable) Validate() error {
	var ttl, entries, both error
	if c.TTL == 0 {
		ttl = errors.New("it has no ttl; write how long results are kept, such as 30s")
	} else {
		ttl = checkDuration("ttl", c.TTL)
	}
	if c.MaxEntries < 0 {
		entries = fmt.Errorf("maxEntries %d is below zero", c.MaxEntries)
	}
	if c.Key != nil && c.KeyArgs != nil {
		both = errors.New("it has KeyArgs and Key; leave one of them out")
	}
	return joined(ttl, entries, both)
}

func (c Cacheable) maxEntries() entryLimit {
	if c.MaxEntries == 0 {
		return defaultMaxEntries
	}
	return entryLimit(c.MaxEntries)
}
