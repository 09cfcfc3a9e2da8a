package dashboard

import (
	"context"
	"errors"
	"strings"

	"github.com/backstay/backstay/retry"
)

// panicked is the text of an attempt that did not return.
const panicked = "panic or runtime.Goexit"

func (d *Dashboard) attemptFailed(ctx context.Context, now int64, e retry.AttemptFailed) {
	whose := thePeers
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // who no longer wants an answer does not get one; one that is late is the peer's
		whose = theCallers
	case e.Final:
		whose = nobodys
	}
	text := d.methods.of(e.MethodRef).attemptFailed(now, e.Attempt, d.text(e.Err), whose)
	d.tracker.attemptFailed(e.Session, e.Attempt, now, text)
}

// succeeded is told of a session that took several attempts.
func (d *Dashboard) succeeded(m *method, now int64, e retry.Succeeded) {
	s := d.tracker.end(e.Session)
	s.ended, s.elapsed, s.end = now, e.Elapsed, succeeded
	s.err = ""
	s.lastAttempt(e.Attempts, "")
	s.close(e.Attempts)
	m.succeeded(now, s)
}

func (d *Dashboard) failed(ctx context.Context, now int64, e retry.Failed) {
	s := d.tracker.end(e.Session)
	s.ended, s.elapsed, s.end = now, e.Elapsed, failed
	if e.Canceled {
		s.end = canceled
	}
	if s.err == "" { // no attempt has told
		s.err = d.ending(ctx, e.Err)
	}
	s.close(e.Attempts)
	d.methods.of(e.MethodRef).ended(now, s)
}

// ending is the text of what ended a session of whose attempts nothing is known.
func (d *Dashboard) ending(ctx context.Context, err error) string {
	if err == nil {
		err = ctx.Err()
	}
	return strings.Clone(d.text(err)) // nobody has kept it yet, and it may be part of a larger text
}

func (d *Dashboard) exhausted(now int64, e retry.Exhausted) {
	s := d.tracker.end(e.Session)
	s.ended, s.elapsed, s.end = now, e.Elapsed, exhausted
	s.limit, s.limitNumber = e.Limit, d.limits.number(e.Limit)
	if s.err == "" {
		s.err = strings.Clone(d.text(e.Err))
	}
	s.close(e.Attempts)
	at, kept := d.methods.of(e.MethodRef).ended(now, s)
	if !kept {
		s = nil
	}
	d.tracker.await(e.Session, awaited{session: s, at: at})
}

func (d *Dashboard) rejected(now int64, e retry.Rejected) {
	s := &session{ended: now, end: rejected, limit: e.Gate, limitNumber: d.limits.number(e.Gate), err: d.text(e.Reason)}
	at, kept := d.methods.of(e.MethodRef).ended(now, s)
	if !kept {
		s = nil
	}
	d.tracker.await(e.Session, awaited{session: s, at: at})
}

func (d *Dashboard) aborted(now int64, e retry.Aborted) {
	s := d.tracker.end(e.Session)
	s.ended, s.elapsed, s.end = now, e.Elapsed, aborted
	m := d.methods.of(e.MethodRef)
	if s.lastAttempt(e.Attempts, panicked) { // else it was a hook that panicked
		m.attemptFailed(now, e.Attempts, panicked, thePeers)
	}
	if s.err == "" {
		s.err = panicked
	}
	s.close(e.Attempts)
	m.ended(now, s)
}
