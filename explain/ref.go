package explain

import (
	"encoding/json"
	"strings"

	"github.com/backstay/backstay/retry"
)

// plain is a Service without its own JSON form.
type plain Service

// MarshalJSON writes the reference as text: "Gateway#backup".
func (s Service) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Ref string `json:"ref"` // in place of the one inside
		plain
	}{s.Ref.String(), plain(s)})
}

// UnmarshalJSON reads what MarshalJSON has written.
func (s *Service) UnmarshalJSON(data []byte) error {
	written := struct {
		Ref string `json:"ref"`
		*plain
	}{plain: (*plain)(s)}
	if err := json.Unmarshal(data, &written); err != nil {
		return err
	}
	class, name, _ := strings.Cut(written.Ref, "#")
	s.Ref = retry.MethodRef{Class: class, Name: name}
	return nil
}
