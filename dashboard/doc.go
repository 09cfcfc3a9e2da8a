// Package dashboard is a live page of what calls do: which fail, what is done about it, what is refused, and what callers get.
// It is one [http.Handler] that a service mounts, with all that the page needs inside.
//
// # Mount it
//
// A dashboard listens to a container, and its handler shows the container's services beside what it has heard:
//
//	board := dashboard.New()
//	c := container.New(container.WithListener(board))
//	// ... provide services ...
//	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(c)))
//
// The first request freezes the container's plan. Streams do not keep an [http.Server] from shutting down, and its WriteTimeout
// does not end them.
//
// # Guard it
//
// Arguments and results of calls are nowhere on the page. What errors say is, cut to 200 characters, and errors may repeat what
// they were given: [WithRedact] has them say what operators may see. What annotations are set to is there as Explain tells it: a
// field that is a secret wants a type whose String does not tell it.
//
//	board := dashboard.New(dashboard.WithRedact(func(err error) string {
//		return cardNumber.ReplaceAllString(err.Error(), "(card)")
//	}))
//
// Who may read the page is the host's to say, and the simplest is a listener on the loopback, as other internal pages have:
//
//	go http.ListenAndServe("localhost:6060", mux)
//
// A web page elsewhere cannot read from there, with one exception: a name that its owner makes resolve to 127.0.0.1. Where what
// is on the page matters, or controls are on, look at the name that was asked for, or ask for a password; either defeats it:
//
//	guarded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
//		if r.Host != "localhost:6060" {
//			http.Error(w, "forbidden", http.StatusForbidden)
//			return
//		}
//		page.ServeHTTP(w, r)
//	})
//
// # Let operators turn breakers
//
// [WithControls] adds buttons that force a breaker open or closed, have it count only, or reset it. Each is a POST that must
// come from the page's own origin and that the host's func lets through:
//
//	board := dashboard.New(dashboard.WithControls(func(r *http.Request) error {
//		return oncall.Check(r.Context()) // whoever your middleware has let in
//	}))
//
// A request with neither Sec-Fetch-Site nor Origin comes from no browser, and the func alone decides on it.
//
// # Without a container
//
// Chains of the fluent form, and weavers, have listeners too. Named tells chains apart:
//
//	board := dashboard.New()
//	rates := retry.For[Rates]().Named("rates").Max(3).Listen(board)
//	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(nil)))
//
// Their breakers are on the page from their first change of state on.
//
// # What it costs
//
// A call that succeeds at once costs a look at the clock, a lookup, and a few additions under a lock that calls at the same time
// rarely share: less than 100 ns, and no allocation. A failure costs about a microsecond and the text of its error. A page that
// is open costs a look at all methods each second, and many pages not much more; at most a hundred are served at a time by one
// handler. There is no goroutine but those of requests.
//
// Memory is bounded. A method takes 11 KB once it is called, so 300 take 3 MB and 2000, which is as many as [WithMethods] lets
// there be unless told otherwise, 22 MB. Timelines of sessions and texts of errors come to that where calls fail: never more
// than 80 KB for a method, and that only when each of the 20 sessions kept ([WithSessions]) has a dozen attempts, each with an
// error of its own. Between their events 8192 sessions are followed at most, and 4096 are remembered for their fallbacks; each
// takes some hundred bytes, and never more than 4 KB. These are of texts in ASCII; characters of three bytes make it up to
// thrice as much. Of breakers that only events tell of, 1000 are known at most.
//
// # For scripts
//
// Everything on the page is JSON at documented routes: PROTOCOL.md, in this directory.
//
//	curl -s localhost:6060/backstay/state | jq '.state.incidents'
package dashboard
