package containertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// PolicyOption says more of what [Policy] and [AssertPolicy] tell.
type PolicyOption func(*policyText)

// policyText is how a policy is told.
type policyText struct{ origins bool }

// WithOrigins tells of each attribute where its value was written, in parentheses after it.
func WithOrigins() PolicyOption { return func(p *policyText) { p.origins = true } }

// Policy is the effective policy of a method as text: what comes of all annotations, the container's defaults and what a
// deployment has configured. It has a line for the list of policies, in the order in which they are asked, and one for each
// attribute that somebody has set, in the order of their table. Of a method with the mark
//
//	annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4"`
//
// it is
//
//	policies: fallback, classifier, budget, maxAttempts, sleep
//	maxAttempts: 4
//	base: 100ms
//	sleepStrategy: backoff
//	retryErrors: any
//
// What nobody has set is left out: it is what the table of attributes says. What an alias says is set, even where the table
// says the same, as retryErrors is here. The method is a method expression or a reference; where it means methods of
// several services whose policies differ, each has its reference above it. Of a method that the container does not have, or
// that has no retry annotation, the text says so, and which was probably meant. It freezes the container's plan.
func Policy(c *container.Container, method any, opts ...PolicyOption) string {
	text, problem := policyOf(c, method, opts)
	if problem != "" {
		return textOf(method) + ": " + problem
	}
	return text
}

// AssertPolicy fails t if [Policy] of the method is not what is wanted, and shows in which lines they differ. Indentation, and
// empty lines, do not count, so that what is wanted can stand in the test's own indentation:
//
//	containertest.AssertPolicy(t, c, "StripeGateway@Charge", `
//		policies: fallback, classifier, budget, maxAttempts, sleep
//		maxAttempts: 4
//		base: 100ms
//	`)
//
// An empty policy is that of a method that is not retried: wanted is "" then, and the method has to be one of a service of the
// container all the same.
//
//	containertest.AssertPolicy(t, c, "StripeGateway@Refund", "")
//
// Definition errors of the container fail t at once.
func AssertPolicy(t testing.TB, c *container.Container, method any, want string, opts ...PolicyOption) {
	t.Helper()
	RequireVerify(t, c)
	text, problem := policyOf(c, method, opts)
	if problem != "" && trimmed(want) == "" {
		problem = unknown(c, method)
		if problem == "" {
			return
		}
	}
	if problem != "" {
		t.Errorf("containertest: AssertPolicy(%s): %s", textOf(method), problem)
		return
	}
	switch want, got := trimmed(want), trimmed(text); {
	case want == "":
		t.Errorf("containertest: %s is retried, and was wanted not to be (+ is)\n+ %s", textOf(method), strings.ReplaceAll(got, "\n", "\n+ "))
	case want != got:
		t.Errorf("containertest: the policy of %s is another (- wanted, + is)%s", textOf(method), diff(want, got))
	}
}

// policyOf is the policy as text; the problem says why there is none.
func policyOf(c *container.Container, method any, opts []PolicyOption) (text, problem string) {
	var how policyText
	for _, o := range opts {
		if o != nil {
			o(&how)
		}
	}
	refs, problem := retried(c.Registry(), method)
	if problem != "" {
		return "", problem
	}
	wiring := c.Explain()
	texts := make([]string, len(refs))
	differ := false
	for i, ref := range refs {
		texts[i] = how.of(methodOf(wiring, ref))
		differ = differ || texts[i] != texts[0]
	}
	if !differ {
		return texts[0], ""
	}
	for i, ref := range refs {
		texts[i] = ref.String() + "\n" + texts[i]
	}
	return strings.Join(texts, "\n"), ""
}

// methodOf is what the wiring tells of a method. It tells of every method with an annotation.
func methodOf(wiring *explain.Wiring, ref retry.MethodRef) explain.Method {
	name := ref.Method
	ref.Method = ""
	if s := wiring.Find(ref.String()); s != nil {
		for _, m := range s.Methods {
			if m.Name == name {
				return m
			}
		}
	}
	return explain.Method{}
}

func (p policyText) of(m explain.Method) string {
	lines := []string{"policies: " + strings.Join(m.Policies, ", ")}
	for _, a := range m.Attributes {
		switch {
		case a.Origin == atDefault:
		case p.origins:
			lines = append(lines, fmt.Sprintf("%s: %s (%s)", a.Key, a.Value, a.Origin))
		default:
			lines = append(lines, a.Key+": "+a.Value)
		}
	}
	return strings.Join(lines, "\n")
}

// atDefault is the origin of what nobody has set.
var atDefault = annotation.Origin{}.String()

// trimmed is a text without indentation and empty lines.
func trimmed(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
