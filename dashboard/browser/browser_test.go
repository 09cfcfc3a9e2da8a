package browser_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(suite{m}) }

// suite is the tests of the package, after which the browser they share is gone.
type suite struct{ *testing.M }

// atOnce is how many tests run at a time. They wait for ticks of a second more than they work.
const atOnce = "6"

func (s suite) Run() int {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	defer chromium.stop()
	return s.M.Run()
}

// chromium is the browser of all tests. It is started by the first that needs it.
var chromium process

type process struct {
	once  sync.Once
	ctx   context.Context // of the browser; each tab is a child
	err   error
	close func()
}

var errNone = errors.New("there is no chromium, chromium-browser or google-chrome to be found; on Debian and Ubuntu: apt-get install chromium")

func find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNone
}

// start makes sure that the browser runs. It has a directory of its own, which is gone after it, and a system that dies with
// the test.
func (p *process) start() (context.Context, error) {
	p.once.Do(func() {
		path, err := find()
		if err != nil {
			p.err = err
			return
		}
		options := []chromedp.ExecAllocatorOption{
			chromedp.ExecPath(path), chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
			chromedp.NoSandbox, // root has no other way, and the pages are our own
			// What runs in the background of a browser asks the network, or takes time from the tests.
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
			chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-features", "Translate"),
			chromedp.Flag("disable-dev-shm-usage", true), // containers have little of it
			// All tabs are at work at once, and none is in the background.
			chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
			chromedp.Flag("disable-backgrounding-occluded-windows", true),
			// Pictures are alike on all machines that have the same fonts.
			chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("font-render-hinting", "none"),
		}
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		p.ctx, p.close = ctx, func() { cancel(); stop() }
		p.err = chromedp.Do(ctx)
	})
	return p.ctx, p.err
}

func (p *process) stop() {
	if p.close != nil {
		p.close()
	}
}

// browser is the context of the browser. Without one the test is skipped, unless there must be one.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx, err := chromium.start()
	switch {
	case errors.Is(err, errNone) && os.Getenv("CI_BROWSER") != "required":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return ctx
}
