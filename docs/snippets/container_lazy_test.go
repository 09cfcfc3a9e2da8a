package snippets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// Reports and Archive need each other.
type Reports struct{ archive container.Lazy[*Archive] }

func NewReports(archive container.Lazy[*Archive]) *Reports { return &Reports{archive} }

func (r *Reports) Keep(ctx context.Context, text string) error {
	archive, err := r.archive.Get() // in a method, not in the constructor
	if err != nil {
		return err
	}
	return archive.Store(ctx, text)
}

type Archive struct {
	reports *Reports
	stored  []string
}

func NewArchive(reports *Reports) *Archive { return &Archive{reports: reports} }

func (a *Archive) Store(_ context.Context, text string) error {
	a.stored = append(a.stored, text)
	return nil
}

func TestALazyIsHalfOfACycle(t *testing.T) {
	c := container.New()
	c.Provide(NewReports)
	c.Provide(NewArchive)
	reports, err := container.Get[*Reports](c)
	require.NoError(t, err)
	require.NoError(t, reports.Keep(t.Context(), "january"))
	archive, err := container.Get[*Archive](c)
	require.NoError(t, err)
	require.Equal(t, []string{"january"}, archive.stored)
	require.Same(t, reports, archive.reports)
}

// Conn is built for whoever asks.
type Conn struct{ number int }

type Pool struct{ conns container.Provider[*Conn] }

func NewPool(conns container.Provider[*Conn]) *Pool { return &Pool{conns} }

func (p *Pool) Dial() (*Conn, error) { return p.conns.Get() }

func TestAProviderBuildsAnew(t *testing.T) {
	dialed := 0
	newConn := func() (*Conn, error) { dialed++; return &Conn{dialed}, nil }
	c := container.New()

	c.Provide(newConn, container.Transient())
	c.Provide(NewPool)

	pool, err := container.Get[*Pool](c)
	require.NoError(t, err)
	for want := 1; want <= 3; want++ {
		conn, err := pool.Dial()
		require.NoError(t, err)
		require.Equal(t, want, conn.number)
	}
}
