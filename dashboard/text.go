package dashboard

import "cmp"

// maxText is how many characters of an error are kept.
const maxText = 200

const (
	unwanted = "unwanted result"      // of an attempt that failed without an error
	textless = "error without a text" // of an error that says nothing: an empty text is that of a success
)

// text is what is told of an error. What the error or the redaction does wrong is no concern of the call.
func (d *Dashboard) text(err error) (text string) {
	if err == nil {
		return unwanted
	}
	defer func() {
		if recover() != nil {
			text = textless
		}
	}()
	if d.redact != nil {
		text = d.redact(err)
	} else {
		text = err.Error()
	}
	return cmp.Or(cut(text), textless)
}

// cut shortens a text to maxText characters.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	n, last := 0, 0
	for i := range text {
		if n == maxText-1 {
			last = i
		}
		if n++; n > maxText {
			return text[:last] + "…"
		}
	}
	return text
}
