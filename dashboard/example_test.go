package dashboard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// Mailer is a service whose peer is down.
type Mailer interface {
	Send(ctx context.Context, to string) error
}

type SMTPMailer struct {
	_ annotation.On[aliases.Retry] `method:"Send" maxAttempts:"3" base:"1ms"`
}

func NewSMTPMailer() *SMTPMailer { return &SMTPMailer{} }

func (*SMTPMailer) Send(context.Context, string) error { return errors.New("421 too busy") }

// A service mounts the page beside its own routes. Whatever the page shows, a script can read.
func Example() {
	board := dashboard.New()
	c := container.New(container.WithListener(board))
	c.Provide(NewSMTPMailer, container.As[Mailer]())

	mux := http.NewServeMux()
	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(c)))

	err := c.Invoke(func(m Mailer) {
		for range 4 {
			_ = m.Send(context.Background(), "ada@example.com")
		}
	})
	if err != nil {
		fmt.Println(err)
	}

	server := httptest.NewServer(mux) // where a service has its http.Server
	defer server.Close()
	answer, err := http.Get(server.URL + "/backstay/state")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	var read struct {
		State struct {
			Incidents []struct {
				Ref, Error          string
				AttemptFailureShare float64
				Callers             struct{ Error float64 }
			}
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
		fmt.Println(err)
	}
	for _, i := range read.State.Incidents {
		fmt.Printf("%s: %s; %.0f %% of the attempts fail, %.0f %% of the callers get an error\n", i.Ref, i.Error, 100*i.AttemptFailureShare, 100*i.Callers.Error)
	}
	// Output: SMTPMailer@Send: 421 too busy; 100 % of the attempts fail, 100 % of the callers get an error
}

// Chains have no container. The page shows them all the same, by their names, and their breakers from the first change on.
func ExampleDashboard_Handler_chains() {
	board := dashboard.New()
	rates := retry.For[float64]().Named("rates").Max(3).Listen(board)
	rate, err := rates.Call(context.Background(), func(context.Context) (float64, error) { return 1.09, nil })
	fmt.Println(rate, err)

	w := httptest.NewRecorder()
	board.Handler(nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/state", nil))
	fmt.Println(regexp.MustCompile(`"ref":"\w+","calls":\d+`).FindString(w.Body.String()))
	// Output:
	// 1.09 <nil>
	// "ref":"rates","calls":1
}

// Errors may repeat what they were given. What operators see of them is the host's to say.
func ExampleWithRedact() {
	card := regexp.MustCompile(`\b\d{16}\b`)
	board := dashboard.New(dashboard.WithRedact(func(err error) string {
		return card.ReplaceAllString(err.Error(), "(card)")
	}))
	charge := retry.With(retry.NewMaxAttempts(1)).Named("charge").Listen(board)
	_ = charge.Run(context.Background(), func(context.Context) error { return errors.New("4242424242424242 has expired") })

	w := httptest.NewRecorder()
	board.Handler(nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/state", nil))
	fmt.Println(regexp.MustCompile(`"lastError":"[^"]*"`).FindString(w.Body.String()))
	// Output: "lastError":"(card) has expired"
}

// Operators may turn breakers where the host lets them: here those whom its own authentication knows as on call, and under no
// other name than the page's own, since a name elsewhere may be made to resolve to this address.
func ExampleWithControls() {
	board := dashboard.New(dashboard.WithControls(func(r *http.Request) error {
		user, _, _ := r.BasicAuth()
		switch {
		case r.Host != "ops.example.com":
			return fmt.Errorf("asked for as %s", r.Host)
		case user != "ada":
			return fmt.Errorf("%s is not on call", user)
		}
		return nil
	}))
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute})
	rates := retry.With(policy, retry.NewMaxAttempts(1)).Named("rates").Listen(board)
	_ = rates.Run(context.Background(), func(context.Context) error { return errors.New("no answer") })
	breaker := retry.BreakerOf(policy)
	fmt.Println(breaker.State())

	page := board.Handler(nil)
	reset := func(user, host string) {
		form := url.Values{"name": {"rates"}, "action": {"reset"}}
		r := httptest.NewRequest(http.MethodPost, "http://"+host+"/breaker", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth(user, "secret")
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		fmt.Println(user, "at", host, w.Code, breaker.State())
	}
	reset("eve", "ops.example.com")
	reset("ada", "evil.example.com")
	reset("ada", "ops.example.com")
	// Output:
	// open
	// eve at ops.example.com 403 open
	// ada at evil.example.com 403 open
	// ada at ops.example.com 204 closed
}
