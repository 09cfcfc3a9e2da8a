package snippets_test

import (
	"errors"
	"log/slog"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/eventlog"
)

var cardNumber = regexp.MustCompile(`\b\d{12,19}\b`)

// MayBeTold is what may be told of an error outside of the program.
func MayBeTold(err error) string { return cardNumber.ReplaceAllString(err.Error(), "(card)") }

func TestOneRedactionForLogAndPage(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		logger, written := nightLog(slog.LevelInfo)

		log := eventlog.New(logger, eventlog.WithRedact(MayBeTold))
		board := dashboard.New(dashboard.WithRedact(MayBeTold))

		c := container.New(container.WithListener(log), container.WithListener(board))
		wireCards(c).err = errors.New("card 4242424242424242 has expired")
		charge(t, c, "41")
		_, state := get(board.Handler(c), "/state?method=CardGateway@Charge")
		for _, told := range []string{written.String(), state} {
			require.Contains(t, told, "card (card) has expired")
			require.NotContains(t, told, "4242")
		}
	})
}
