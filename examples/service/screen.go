package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// screen shows progress: on a terminal one line that is rewritten, elsewhere a new line now and then. It is safe for
// concurrent use.
type screen struct {
	out   io.Writer
	live  bool
	every time.Duration

	mu   sync.Mutex
	line string // what stands on the terminal's last line
}

func newScreen(out io.Writer) *screen {
	if isTerminal(out) {
		return &screen{out: out, live: true, every: 100 * time.Millisecond}
	}
	return &screen{out: out, every: time.Second}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// say prints a line that stays.
func (s *screen) say(format string, args ...any) {
	fmt.Fprintf(s.beside(s.out), format+"\n", args...)
}

// follow shows line again and again until end is called, which shows it a last time.
func (s *screen) follow(line func() string) (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(s.every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.show(line())
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		s.show(line())
	}
}

func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live {
		fmt.Fprintln(s.out, line)
		return
	}
	s.line = line
	fmt.Fprint(s.out, eraseLine, line)
}

// leave lets the line stand, if there is one, and begins a new one.
func (s *screen) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != "" {
		fmt.Fprintln(s.out)
		s.line = ""
	}
}

// eraseLine goes back to the beginning of the line and clears it.
const eraseLine = "\r\x1b[K"

// beside returns a writer of whole lines to w, which may be the same terminal: the progress line makes room for them.
func (s *screen) beside(w io.Writer) io.Writer { return besideWriter{s, w} }

type besideWriter struct {
	screen *screen
	w      io.Writer
}

func (b besideWriter) Write(lines []byte) (int, error) {
	s := b.screen
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line == "" {
		return b.w.Write(lines)
	}
	fmt.Fprint(s.out, eraseLine)
	n, err := b.w.Write(lines)
	fmt.Fprint(s.out, s.line)
	return n, err
}
