package backstayotel

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxText is the most bytes of an error's text that are written.
const maxText = 500

// description is what the status of a span says of an error: nothing, unless it is asked for.
func (t *tracing) description(err error) string {
	switch {
	case t.errorText == nil:
		return ""
	case err == errAborted: // it is not the user's
		return err.Error()
	}
	return shorten(t.textOf(err))
}

// textOf asks for the text of an error. A typed nil, or a func that did not expect such an error, may panic: that fails no
// call, and what it panicked with is not told, since it may hold what was to be left out.
func (t *tracing) textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("no text: asking a %T for it panicked", err)
		}
	}()
	return t.errorText(err)
}

// shorten makes a text valid, which may make it longer, and cuts it.
func shorten(text string) string { return cut(valid(cut(text))) }

// cut cuts a long text between two characters. The whole is not kept for the sake of its beginning.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > maxText-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n])
}
