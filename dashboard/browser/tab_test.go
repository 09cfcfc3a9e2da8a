package browser_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for something that must come. It is generous: machines are busy.
const patience = 20 * time.Second

// tab is a page that nobody has visited before: it shares no storage with others. When the test is over nothing may have gone
// wrong in it, but for what the test has said.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	trouble []string
	expects []string
}

// look is how the page is looked at.
type look struct {
	width, height int64
	phone         bool
	dark, still   bool   // what the system prefers
	locale        string // "": en-US
	early         string // a script that runs before the page's own
}

var (
	desktop = look{width: 1440, height: 900}
	phone   = look{width: 390, height: 844, phone: true}
)

// violations writes each violation of the page's policy to the console.
const violations = `addEventListener('securitypolicyviolation', (e) => console.error('violates ' + e.violatedDirective + ': ' + e.blockedURI));`

// open opens an address in a new tab.
func open(t *testing.T, url string, l look) *tab {
	t.Helper()
	tb := &tab{t: t}
	ctx, cancel := chromedp.NewContext(browser(t), chromedp.WithNewBrowserContext(), chromedp.WithListener(tb.hear))
	t.Cleanup(cancel)
	tb.ctx = ctx
	require.NoError(t, chromedp.Do(ctx)) // not with a limit, or the tab would end with it
	t.Cleanup(func() { require.Empty(t, tb.unexpected(), "what has gone wrong in the page") })

	locale := l.locale
	if locale == "" {
		locale = "en-US"
	}
	call(tb, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
	call(tb, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: locale})
	call(tb, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: violations + l.early})
	tb.prefer(l.dark, l.still)
	options := []chromedp.EmulateViewportOption{}
	if l.phone {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	tb.do(chromedp.EmulateViewport(l.width, l.height, options...))
	tb.do(chromedp.Navigate(url))
	return tb
}

// prefer says what the system prefers from now on.
func (tb *tab) prefer(dark, still bool) {
	tb.t.Helper()
	scheme, motion := "light", "no-preference"
	if dark {
		scheme = "dark"
	}
	if still {
		motion = "reduce"
	}
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: motion},
	}})
}

// hear notes what must not happen.
func (tb *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, arg := range e.Args {
			words = append(words, string(arg.Value)+arg.Description)
		}
		tb.note("console %s: %s", e.Type, strings.Join(words, " "))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		tb.note("exception: %s", text)
	case *log.EventEntryAdded:
		tb.note("log %s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *network.EventLoadingFailed:
		if !e.Canceled { // else the page itself has closed a stream
			tb.note("request failed: %s", e.ErrorText)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			tb.note("answer %d: %s", e.Response.Status, e.Response.URL)
		}
	}
}

func (tb *tab) note(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.trouble = append(tb.trouble, fmt.Sprintf(format, args...))
}

// expect says that whatever contains one of the texts may go wrong.
func (tb *tab) expect(texts ...string) { tb.expects = append(tb.expects, texts...) }

// unexpected is what has gone wrong and was not expected.
func (tb *tab) unexpected() (all []string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
next:
	for _, what := range tb.trouble {
		for _, text := range tb.expects {
			if strings.Contains(what, text) {
				continue next
			}
		}
		all = append(all, what)
	}
	return all
}
