package browser_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// part is what a screen reader is told of a part of the page.
type part struct{ role, name, level string }

// told is what a screen reader is told, in the order of reading.
func (tb *tab) told() (parts []part) {
	tb.t.Helper()
	text := func(v *accessibility.Value) string {
		var value any
		if v == nil || json.Unmarshal([]byte(v.Value), &value) != nil {
			return ""
		}
		return fmt.Sprint(value)
	}
	nodes := call(tb, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, node := range nodes {
		byID[node.NodeID] = node
	}
	var read func(*accessibility.Node)
	read = func(node *accessibility.Node) {
		if !node.Ignored {
			p := part{role: text(node.Role), name: text(node.Name)}
			for _, property := range node.Properties {
				if property.Name == accessibility.PropertyNameLevel {
					p.level = text(property.Value)
				}
			}
			parts = append(parts, p)
		}
		for _, id := range node.ChildIDs {
			if child := byID[id]; child != nil {
				read(child)
			}
		}
	}
	read(nodes[0])
	return parts
}

// busyShop is one with everything on its page: an incident, sessions, errors and controls.
func busyShop(t *testing.T) *shop {
	t.Helper()
	s := newShop(t, dashboard.WithControls(anybody))
	s.cards.becomes(says503)
	for range 3 {
		s.charge(t.Context())
	}
	s.breaker(t).ForceOpen() // an incident that needs no traffic
	return s
}

func TestThePageHasLandmarksHeadingsAndNames(t *testing.T) {
	t.Parallel()
	page := open(t, busyShop(t).served(t)+"#"+charge, desktop)
	page.wait(shows(charge) + " && document.querySelectorAll('.session').length === 3 && " + seen(".incident", "is shut off") + " && " + seen(".chips", "circuitBreaker"))
	parts := page.told()

	const title = "CardGateway @Charge" // the line may break there
	for _, landmark := range []part{
		{role: "banner"}, {role: "main"}, {role: "search"},
		{role: "region", name: "What is wrong"}, {role: "region", name: "Services"}, {role: "region", name: title},
	} {
		require.Equal(t, 1, count(parts, func(p part) bool {
			return p.role == landmark.role && (landmark.name == "" || p.name == landmark.name)
		}), "%v", landmark)
	}

	level := "0"
	for _, p := range parts {
		if p.role != "heading" {
			continue
		}
		require.NotEmpty(t, p.name)
		require.LessOrEqual(t, p.level, string(level[0]+1), "a level is left out before %q", p.name)
		level = p.level
	}
	require.Equal(t, 1, count(parts, func(p part) bool { return p.role == "heading" && p.level == "1" }))
	for _, heading := range []part{
		{"heading", "Backstay", "1"}, {"heading", "What is wrong", "2"}, {"heading", "Services", "2"}, {"heading", title, "2"},
		{"heading", "CardGateway", "3"}, {"heading", "Breaker and budget", "3"}, {"heading", "Last sessions", "3"}, {"heading", "Policy", "3"},
	} {
		require.Contains(t, parts, heading)
	}

	controls := []string{"button", "link", "searchbox", "textbox", "combobox", "checkbox", "slider", "DisclosureTriangle", "option", "image"}
	kinds := map[string]bool{}
	for _, p := range parts {
		if slices.Contains(controls, p.role) {
			require.NotEmpty(t, p.name, "%v", p)
			kinds[p.role] = true
		}
	}
	for _, kind := range []string{"button", "link", "searchbox", "combobox", "checkbox", "slider", "DisclosureTriangle"} {
		require.True(t, kinds[kind], "there is a %s", kind)
	}
	var links []string
	for _, p := range parts {
		if p.role == "link" {
			links = append(links, p.name)
		}
	}
	require.Regexp(t, `\|failing: Charge (idle|[\d.]+/s 0% errors) breaker forced open ?, budget \d+% left\|`, strings.Join(links, "|"))
}

func count(parts []part, is func(part) bool) (n int) {
	for _, p := range parts {
		if is(p) {
			n++
		}
	}
	return n
}

func TestAScreenReaderIsToldOfIncidentsOnce(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	page := open(t, shop.served(t), desktop)
	page.wait(seen("#connection-text", "Live"))
	require.Equal(t, "polite", page.attribute("#announce", "aria-live"))
	require.Equal(t, "status", page.attribute("#connection", "role"))
	require.Empty(t, page.text("#announce"), "nothing is wrong")
	eval[any](page, `(() => {
		window.said = [];
		new MutationObserver(() => said.push(document.getElementById('announce').textContent))
			.observe(document.getElementById('announce'), {childList: true, characterData: true, subtree: true});
	})()`)

	shop.breaker(t).ForceOpen()
	page.wait("window.said.length === 1")
	clock := page.text("#clock")
	page.wait(q("#clock") + ".innerText !== " + js(clock)) // another tick, with another "for 2 s" in it
	shop.breaker(t).Reset()
	page.wait("window.said.length === 2")
	said := eval[[]string](page, "window.said")
	require.Regexp(t, `^CardGateway@Charge is shut off since \d\d:\d\d:\d\d; no calls in the last 10 s · breaker forced open: refuses every call until it is reset\.$`, said[0])
	require.Regexp(t, `^CardGateway@Charge is well again after \d+\x{a0}s\.$`, said[1])
}
