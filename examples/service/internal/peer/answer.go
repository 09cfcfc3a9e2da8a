package peer

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// answer says 200 and what.
func answer(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what) // who has gone away needs no answer
}

// comeBack says 503 and when to try again.
func comeBack(w http.ResponseWriter, after time.Duration) {
	seconds := (after + time.Second - 1) / time.Second
	w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
	http.Error(w, "busy", http.StatusServiceUnavailable)
}

// resetConnection resets the connection in the middle of an answer that would have said what; before it, if what is nil.
func resetConnection(w http.ResponseWriter, what any) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server drops the connection then
	}
	defer conn.Close()
	if what != nil {
		body, _ := json.Marshal(what)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			len(body), body[:len(body)/2])
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // Close sends a reset
	}
}
