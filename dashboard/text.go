package dashboard

// maxText is how many characters of an error are kept.
const maxText = 200

// unwanted is the text of an attempt that failed without an error.
const unwanted = "unwanted result"

// text is what is told of an error. What the error or the redaction does wrong is no concern of the call.
func (d *Dashboard) text(err error) (text string) {
	if err == nil {
		return unwanted
	}
	defer func() {
		if recover() != nil {
			text = "error without a text"
		}
	}()
	if d.redact != nil {
		return cut(d.redact(err))
	}
	return cut(err.Error())
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
