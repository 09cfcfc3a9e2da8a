package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// call sends a command of the browser's protocol.
func call[P, R any](tb *tab, command cdp.Command[P, R], params P) R {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	require.NoError(tb.t, err)
	return result
}

func (tb *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	require.NoError(tb.t, chromedp.Do(ctx, steps...))
}

// eval is the value of an expression in the page; of a promise, what it comes to.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) {
		wait := true
		p.AwaitPromise = &wait
	}))
	require.NoError(tb.t, err, expression)
	return value
}

// wait waits until an expression is true in the page, also in one that comes after it; what is not there yet is not true.
func (tb *tab) wait(expression string) {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience+patience/2)
	defer cancel()
	poll := chromedp.Poll[any]("(() => { try { return "+expression+"; } catch { return false; } })()",
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience))
	_, err := chromedp.Run(ctx, poll)
	for gone := (*cdproto.Error)(nil); errors.As(err, &gone) && ctx.Err() == nil; {
		_, err = chromedp.Run(ctx, poll) // the page that was asked has gone
	}
	if err != nil {
		require.NoError(tb.t, err, "%s\nwas not to be seen; what is: %s\nand has gone wrong: %v", expression, short(tb.text("body")), tb.unexpected())
	}
}

func short(text string) string {
	if len(text) > 3000 {
		return text[:3000] + " ..."
	}
	return text
}

// js is a value as an expression.
func js(value any) string {
	written, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(written)
}

// q is the expression of the first element of a selector.
func q(selector string) string { return "document.querySelector(" + js(selector) + ")" }

// seen is the condition that a part of the page is shown with this text in it.
func seen(selector, text string) string {
	return fmt.Sprintf("%s?.checkVisibility() && %[1]s.innerText.replace(/\\s+/g, ' ').includes(%s)", q(selector), js(text))
}

// text is what a part of the page says to who looks at it, in one line.
func (tb *tab) text(selector string) string {
	tb.t.Helper()
	return strings.Join(strings.Fields(eval[string](tb, q(selector)+"?.innerText ?? ''")), " ")
}

// texts are those of all parts.
func (tb *tab) texts(selector string) []string {
	tb.t.Helper()
	return eval[[]string](tb, fmt.Sprintf("[...document.querySelectorAll(%s)].map((e) => e.innerText.trim().replace(/\\s+/g, ' '))", js(selector)))
}

func (tb *tab) count(selector string) int {
	tb.t.Helper()
	return eval[int](tb, fmt.Sprintf("document.querySelectorAll(%s).length", js(selector)))
}

// attribute is one of an element, "" where it has none.
func (tb *tab) attribute(selector, name string) string {
	tb.t.Helper()
	return eval[string](tb, fmt.Sprintf("%s.getAttribute(%s) ?? ''", q(selector), js(name)))
}

// aim is the expression of where the middle of an element is, once that is what is seen there; use has it as e.
func aim(selector, use string) string {
	return fmt.Sprintf(`(() => {
		const e = %s;
		if (!e?.checkVisibility()) return false;
		e.scrollIntoView({block: 'center'});
		const r = e.getBoundingClientRect(), [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
		if (!e.contains(document.elementFromPoint(x, y))) return false;
		%s
		return [x, y];
	})()`, q(selector), use)
}

// click clicks on an element where the mouse could. The page has no time to move under it.
func (tb *tab) click(selector string) {
	tb.t.Helper()
	tb.wait(aim(selector, "e.click();"))
}

// point clicks on an element with the mouse itself, on a page where nothing moves.
func (tb *tab) point(selector string) {
	tb.t.Helper()
	tb.wait(aim(selector, ""))
	at := eval[[]float64](tb, aim(selector, ""))
	tb.do(chromedp.MouseClickXY(at[0], at[1]))
}

// press types keys, each of them down and up: a key that the page takes for itself writes nothing.
func (tb *tab) press(keys string) {
	tb.t.Helper()
	for _, r := range keys {
		k, known := kb.Keys[r]
		require.True(tb.t, known, "key %q", r)
		event := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.Windows, NativeVirtualKeyCode: k.Native}
		if k.Print {
			event.Text, event.UnmodifiedText = k.Text, k.Unmodified
		}
		call(tb, input.DispatchKeyEvent, event)
		event.Type, event.Text, event.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
		call(tb, input.DispatchKeyEvent, event)
	}
}

// choose picks an option of a select, as a reader does.
func (tb *tab) choose(selector, value string) {
	tb.t.Helper()
	eval[any](tb, fmt.Sprintf("(() => { const s = %s; s.value = %s; for (const type of ['input', 'change']) s.dispatchEvent(new Event(type, {bubbles: true})); return s.value; })()", q(selector), js(value)))
}

// row is the selector of a method's row in the graph or list.
func row(ref string) string { return fmt.Sprintf("#stage .row[data-ref=%q]", ref) }
