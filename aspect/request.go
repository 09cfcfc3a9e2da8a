package aspect

import (
	"context"
	"fmt"
	"net/http"

	"github.com/backstay/backstay/retry"
)

// A method that takes an *http.Request and no context, such as RoundTrip, has its context in the request. The request is
// passed on as a copy with the attempt's context; and since an attempt consumes the body, from the second attempt on the
// copy has a body from GetBody. The same holds when an aspect around the retry proceeds again, and for what it clones. A
// request with a body and without GetBody can be sent once.

// contextOf is the request's context; nil when there is no request.
func contextOf(r *http.Request) context.Context {
	if r == nil {
		return nil
	}
	return r.Context()
}

// requestArg is where the request among the arguments is, to be replaced; nil when there is none.
func (f *Frame) requestArg() **http.Request {
	if at := f.method().requestAt; at >= 0 {
		return f.call.Arg(at).(**http.Request)
	}
	return nil
}

// repeatable reports whether the request can be sent again.
func repeatable(r *http.Request) bool {
	return r == nil || r.Body == nil || r.Body == http.NoBody || r.GetBody != nil
}

// sent reports whether the request's body may have been read before: by one of the first attempts of s, by another session of
// the frame, or through another frame that shares the request.
func (f *Frame) sent(s *retry.Session, first int) bool { return s.Attempt() > first || s != &f.session }

// requestFor is a copy of the request for one use, with a body of its own if the first has been sent.
func requestFor(ctx context.Context, r *http.Request, sent, ownContext bool) (*http.Request, error) {
	if r == nil {
		return nil, nil
	}
	if !ownContext {
		ctx = r.Context()
	}
	r = r.WithContext(ctx)
	if sent && r.Body != nil && r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, retry.Permanent(fmt.Errorf("rewind the body of the request: %w", err))
		}
		r.Body = body
	}
	return r, nil
}

// closeUnsent closes the body of a request of which no attempt was made: whoever is given a request to send closes its
// body, also when it fails before.
func closeUnsent(s *retry.Session, r *http.Request) {
	if s.Attempt() == 0 && r != nil && r.Body != nil {
		_ = r.Body.Close() // nothing is lost with it
	}
}
