package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// print prints the table, and what is proven by it.
func (r report) print(w io.Writer) {
	fmt.Fprintln(w)
	for _, row := range r.rows() {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-27s %6s   %s", row.what, row.n, row.note), " "))
	}
	fmt.Fprintln(w)
	if r.faults == "outage" {
		fmt.Fprintln(w, r.amplified())
	}
	fmt.Fprintln(w, r.proof())
	if r.faults == "outage" {
		fmt.Fprintln(w, r.comparison())
	}
}

type row struct{ what, n, note string }

func (r report) rows() []row {
	a, c := r.audit, r.counts
	count := func(what string, n int, note string) row { return row{what, fmt.Sprint(n), note} }
	var rows []row
	if n := r.rounds.n; n > 0 {
		rows = append(rows, count("rounds", n, "each with a proof of its own"))
	}
	rows = append(rows,
		count("orders", a.orders(), ""),
		count("charged on-line", a.online, r.onlineNote()),
		count("charged by the fallback", a.invoiced, r.fallbackNote()),
		count("refused", a.refused, "card declined"),
	)
	if a.interrupted+a.waiting > 0 {
		rows = append(rows,
			count("interrupted", a.interrupted, ""),
			count("not begun", a.waiting, ""))
	}
	if a.lost.n > 0 {
		rows = append(rows, count("lost", a.lost.n, ""))
	}
	return append(rows,
		count("attempts", r.stats.Attempts, r.attemptsNote()),
		count("retries", c.Retries, ""),
		count("retries the budget refused", c.BudgetRefused, r.naiveNote("budget")),
		count("breaker openings", c.Openings, r.breakerNote()),
		row{"wall time", fmt.Sprintf("%.1f", r.wall.Seconds()), "seconds"},
	)
}

func (r report) onlineNote() string {
	if r.struck == 0 {
		return ""
	}
	return fmt.Sprintf("%d of them taken back from the fallback: charged, but the answer was lost", r.struck)
}

// fallbackNote tells which policies sent orders to the fallback.
func (r report) fallbackNote() string {
	if len(r.counts.Fallbacks) == 0 {
		return ""
	}
	var causes []string
	for _, cause := range slices.Sorted(maps.Keys(r.counts.Fallbacks)) {
		causes = append(causes, fmt.Sprintf("%s %d", cause, r.counts.Fallbacks[cause]))
	}
	return "because of " + strings.Join(causes, ", ")
}

// attemptsNote tells of attempts that did not reach the peer; more than were made it must never see.
func (r report) attemptsNote() string {
	note := "as the peer counts them"
	if r.counts.Attempts != r.stats.Attempts {
		note += fmt.Sprintf("; the shop made %d", r.counts.Attempts)
	}
	return note
}

func (r report) naiveNote(what string) string {
	if r.naive {
		return "plain retries have no " + what
	}
	return ""
}

func (r report) breakerNote() string {
	if r.onlyCounts() {
		return "it only counts in this mode, so that the budget shows"
	}
	return r.naiveNote("breaker")
}
