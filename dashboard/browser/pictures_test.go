package browser_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// outage is a shop whose peer has failed for nine seconds.
func outage(t *testing.T) (*dashboard.Dashboard, dashboard.Source) {
	s, by := newShop(t), newChance()
	s.books.becomes(by.takes(4*time.Millisecond, well))
	s.rates.becomes(by.takes(9*time.Millisecond, oneIn(6, errors.New("429 Too Many Requests"))))
	s.mails.becomes(by.takes(30*time.Millisecond, oneIn(90, errors.New("550 no such mailbox"))))
	s.invoices.becomes(by.takes(2*time.Millisecond, oneIn(24, errors.New("the queue of invoices is full"))))
	s.cards.becomes(by.takes(35*time.Millisecond, oneIn(40, errUnavailable)))
	orders := traffic(t, 48, s.sell)
	time.Sleep(111 * time.Second)
	slow := oneIn(5, errors.New("504 Gateway Timeout: no answer of acquirer-2"))
	s.cards.becomes(by.takes(60*time.Millisecond, func(ctx context.Context) error {
		if err := slow(ctx); err != nil {
			return err
		}
		return errUnavailable
	}))
	time.Sleep(9 * time.Second)
	for s.breaker(t).Status().RetryAfter > time.Second { // neither while it probes
		time.Sleep(50 * time.Millisecond)
	}
	orders()
	return s.board, s
}

// busyMarket is three hundred services of which some are in trouble.
func busyMarket(t *testing.T) (*dashboard.Dashboard, dashboard.Source) {
	m, by := newMarket(t), newChance()
	var stops []func()
	for i, s := range m.sources {
		s.becomes(by.takes(time.Duration(3+i%17)*time.Millisecond, oneIn(uint64(150+i), errUnavailable)))
		if i%29 != 0 {
			stops = append(stops,
				traffic(t, 1+i*7%12, func(ctx context.Context) { _ = s.Load(ctx, "41") }),
				traffic(t, 1+i%2, func(ctx context.Context) { _ = s.Refresh(ctx, "41") }))
		}
	}
	time.Sleep(90 * time.Second)
	for ref, b := range map[string]behaviour{
		"OfferStore#shop-17":   says503,
		"TaxTable#shop-31":     oneIn(3, errors.New("429 Too Many Requests")),
		"AccountStore#shop-08": says(errors.New("read tcp 10.2.0.8:5432: connection reset by peer")),
	} {
		m.of(t, ref).becomes(by.takes(40*time.Millisecond, b))
	}
	time.Sleep(30 * time.Second)
	for _, stop := range stops {
		stop()
	}
	return m.board, m
}

// The pictures of the documentation. With BACKSTAY_UPDATE=1 they are taken; look at them then.
func TestThePicturesOfTheDocumentation(t *testing.T) {
	t.Parallel()
	update := os.Getenv("BACKSTAY_UPDATE") == "1"
	dark := func(l look) look { l.dark = true; return l }
	for _, c := range []struct {
		name          string
		play          func(t *testing.T) (*dashboard.Dashboard, dashboard.Source)
		look          look
		hash, first   string // the method, and the part of it that is at the top
		width, height int
	}{
		{"outage-light", outage, desktop, "#" + charge, "", 1440, 900},
		{"outage-dark", outage, dark(desktop), "#" + charge, ".guard-box", 1440, 900},
		{"phone-light", outage, phone, "", "", 780, 1688},
		{"phone-dark", outage, dark(phone), "#" + charge, "", 780, 1688},
		{"many-dark", busyMarket, dark(desktop), "", "", 1440, 900},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "..", "docs", "dashboard", c.name+".png")
			if update {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, picture(t, recorded(t, c.play), c.look, c.hash, c.first), 0o644))
			}
			written, err := os.ReadFile(file)
			require.NoError(t, err)
			header, err := png.DecodeConfig(bytes.NewReader(written))
			require.NoError(t, err)
			require.Equal(t, []int{c.width, c.height}, []int{header.Width, header.Height})
			require.Less(t, len(written), 180<<10)
		})
	}
}

// picture is what a recording looks like.
func picture(t *testing.T, r recording, l look, hash, first string) []byte {
	t.Helper()
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	l.early = fmt.Sprintf("Date.now = () => %d;", r.now)
	page := open(t, server.URL+"/"+hash, l)
	page.wait("document.querySelectorAll('.incident').length === 1 && document.querySelectorAll('#stage .row').length > 0 && " + q(".chips") + " !== null")
	page.wait("document.querySelectorAll('.session').length > 3 || !" + q("#method") + ".checkVisibility()")
	if first != "" {
		eval[any](page, q(first)+".closest('.block').scrollIntoView()")
	}
	eval[any](page, "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1)))))")
	taken, err := squeeze(call(page, protocol.CaptureScreenshot, protocol.CaptureScreenshotParams{}).Data)
	require.NoError(t, err)
	return taken
}
