package aspect_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// flaky lends its owner every second call to fail.
type flaky struct{ calls int }

func (f *flaky) fails() bool {
	f.calls++
	return f.calls%2 == 1
}

// pipe is an io.ReadWriteCloser that fails at every second call, before it does anything.
type pipe struct {
	flaky
	bytes.Buffer
	closed int
}

func (p *pipe) Read(b []byte) (int, error) {
	if p.fails() {
		return 0, errDown
	}
	return p.Buffer.Read(b)
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.fails() {
		return 0, errDown
	}
	return p.Buffer.Write(b)
}

func (p *pipe) Close() error {
	if p.fails() {
		return errDown
	}
	p.closed++
	return nil
}

func TestAReadWriteCloserUnderARetry(t *testing.T) {
	p := &pipe{}
	rwc := wrapped[io.ReadWriteCloser](t, aspect.NewWeaver(), p, aspect.Annotate[Quick]("*", annotation.IgnoreErrors(retry.Is(io.EOF))))
	_, err := fmt.Fprintf(rwc, "%d lines", 3)
	require.NoError(t, err)
	require.NoError(t, iotest.TestReader(rwc, []byte("3 lines")))
	require.NoError(t, rwc.Close())
	require.Equal(t, 1, p.closed)
}

// cutFS is a file system whose every second Open fails.
type cutFS struct {
	flaky
	fstest.MapFS
}

func (f *cutFS) Open(name string) (fs.File, error) {
	if f.fails() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errDown}
	}
	return f.MapFS.Open(name)
}

func TestAFileSystemUnderARetry(t *testing.T) {
	target := &cutFS{MapFS: fstest.MapFS{"a/b.txt": {Data: []byte("text")}, "c": {Data: []byte("c")}}}
	fsys := wrapped[fs.FS](t, aspect.NewWeaver(), target, aspect.Annotate[Quick](fs.FS.Open, annotation.RetryErrors(retry.Is(errDown))))
	require.NoError(t, fstest.TestFS(fsys, "a/b.txt", "c"))
	_, err := fsys.Open("d")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// connection is a connection whose every second call fails. It notes those that do not.
type connection struct {
	flaky
	log []string
}

func (c *connection) do(what string) error {
	if c.fails() {
		return errDown
	}
	c.log = append(c.log, what)
	return nil
}

func (c *connection) Prepare(query string) (driver.Stmt, error) {
	if err := c.do("prepare " + query); err != nil {
		return nil, err
	}
	return nil, driver.ErrSkip
}
func (c *connection) Close() error { return c.do("close") }
func (c *connection) Begin() (driver.Tx, error) {
	if err := c.do("begin"); err != nil {
		return nil, err
	}
	return c, nil
}
func (c *connection) Commit() error   { c.log = append(c.log, "commit"); return nil }
func (c *connection) Rollback() error { return driver.ErrBadConn }

type connector struct{ driver.Conn }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Conn, nil }
func (c connector) Driver() driver.Driver                        { return nil }

func TestADriversConnectionUnderARetry(t *testing.T) {
	target := &connection{}
	w := aspect.NewWeaver()
	conn := wrapped[driver.Conn](t, w, target, aspect.Annotate[Quick]("*", annotation.RetryErrors(retry.Is(errDown))))
	db := sql.OpenDB(wrapped[driver.Connector](t, w, connector{conn}, aspect.Annotate[Quick](driver.Connector.Connect)))
	tx, err := db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec("update")
	require.ErrorIs(t, err, driver.ErrSkip)
	require.NoError(t, tx.Commit())
	require.NoError(t, db.Close())
	require.Equal(t, []string{"begin", "prepare update", "commit", "close"}, target.log)
}

// names is a sort.Interface that panics at every second call.
type names struct {
	flaky
	sort.StringSlice
}

func (n *names) Less(i, j int) bool {
	if n.fails() {
		panic(errDown)
	}
	return n.StringSlice.Less(i, j)
}

func (n *names) Swap(i, j int) {
	if n.fails() {
		panic(errDown)
	}
	n.StringSlice.Swap(i, j)
}

func TestASortInterfaceUnderARetry(t *testing.T) {
	n := &names{StringSlice: sort.StringSlice{"d", "b", "a", "c", "f", "e"}}
	s := wrapped[sort.Interface](t, aspect.NewWeaver(), n, aspect.Annotate[Quick]("*", annotation.RetryPanics(true)))
	sort.Stable(s)
	require.Equal(t, sort.StringSlice{"a", "b", "c", "d", "e", "f"}, n.StringSlice)
	sort.Sort(sort.Reverse(s))
	require.Equal(t, sort.StringSlice{"f", "e", "d", "c", "b", "a"}, n.StringSlice)
}

func TestAGenericInterfaceUnderARetry(t *testing.T) {
	calls := 0
	r := wrapped[Repo[User]](t, aspect.NewWeaver(), loads[User](func(id int) (User, error) {
		if calls++; calls < 3 {
			return User{}, errDown
		}
		return User{fmt.Sprint("user ", id)}, nil
	}), aspect.Annotate[Quick](Repo[User].Load))
	u, err := r.Load(7)
	require.NoError(t, err)
	require.Equal(t, User{"user 7"}, u)
}

// loads is a Repo that is a func.
type loads[T any] func(id int) (T, error)

func (f loads[T]) Load(id int) (T, error) { return f(id) }
func (f loads[T]) Save(T) error           { return nil }

// Account embeds interfaces that share a method.
type Account interface {
	Gateway
	fmt.Stringer
	namer
	Balance(ctx context.Context) (int, error)
}

type account struct {
	*Stripe
	flaky
}

func (a *account) String() string { return "account" }
func (a *account) Balance(context.Context) (int, error) {
	if a.fails() {
		return 0, errDown
	}
	return 12, nil
}

func TestAnInterfaceThatEmbedsOthersUnderARetry(t *testing.T) {
	a := wrapped[Account](t, aspect.NewWeaver(), &account{Stripe: down(2)}, aspect.Annotate[Quick]("*"))
	balance, err := a.Balance(t.Context())
	require.NoError(t, err)
	require.Equal(t, 12, balance)
	receipt, err := a.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	require.Equal(t, "account", fmt.Sprint(a))
	require.Equal(t, "stripe", a.Name())
}

// Lister has a variadic method that can be retried.
type Lister interface {
	List(ctx context.Context, prefix string, more ...int) ([]int, error)
}

type lister struct{ calls [][]int }

func (l *lister) List(_ context.Context, _ string, more ...int) ([]int, error) {
	if l.calls = append(l.calls, more); len(l.calls)%2 == 1 {
		return nil, errDown
	}
	return more, nil
}

func TestAVariadicMethodUnderARetry(t *testing.T) {
	l := &lister{}
	w := wrapped[Lister](t, aspect.NewWeaver(), l, aspect.Annotate[Quick](Lister.List))
	for _, more := range [][]int{nil, {}, {1}, {1, 2, 3}} {
		l.calls = nil
		got, err := w.List(t.Context(), "a", more...)
		require.NoError(t, err)
		require.Equal(t, more, got)
		require.Equal(t, [][]int{more, more}, l.calls)
	}
}
