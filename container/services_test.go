package container_test

import (
	"context"
	"errors"
	"io"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// Services for the tests of this package. None of them does anything but count.

type Caller interface {
	Call(ctx context.Context) error
}

type Closer interface {
	Shut(ctx context.Context) error
}

// Client is marked, and fails so many times.
type Client struct {
	_     annotation.On[aliases.Retry] `method:"Call" maxAttempts:"3"`
	fail  int
	calls int
}

var errDown = errors.New("down")

func (c *Client) Call(context.Context) error {
	if c.calls++; c.calls <= c.fail {
		return errDown
	}
	return nil
}

func (c *Client) Shut(context.Context) error { return nil }

// Plain is like Client, without a mark.
type Plain struct {
	calls int
	err   error
}

func (p *Plain) Call(context.Context) error { p.calls++; return p.err }

func (p *Plain) Shut(context.Context) error { return nil }

type (
	A struct{ b *B }
	B struct{ c *C }
	C struct{ n int }
)

type failing struct{ error }

// Buffer implements io interfaces that overlap.
type Buffer struct {
	_ annotation.On[aliases.Retry] `method:"Close"`
}

func (*Buffer) Read([]byte) (int, error)  { return 0, io.EOF }
func (*Buffer) Write([]byte) (int, error) { return 0, nil }
func (*Buffer) Close() error              { return nil }
