package main

import (
	"fmt"
	"time"

	"github.com/backstay/backstay/examples/storm/internal/chart"
	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// picture is a file to draw.
type picture struct {
	file  string
	sheet chart.Sheet
}

func (f findings) pictures() []picture {
	storm, calm := f.strategies[2], f.strategies[len(f.strategies)-1]
	return []picture{
		{"storm.svg", chart.Sheet{
			Title:  fmt.Sprintf("A peer fails for %s, and is well again", inSeconds(f.model.Outage)),
			Height: 350,
			Rows: []chart.Row{
				{top(storm, "Its callers retry with backoff and jitter"), top(calm, "The same, with a budget and a breaker")},
				{bottom(storm), bottom(calm)},
			},
		}},
		{"load.svg", chart.Sheet{Title: "Load at the peer, requests per second", Height: 520, Rows: inTwos(f.strategies, load), OneScale: true}},
		{"goodput.svg", chart.Sheet{Title: "Calls that get their answer, by the second in which they began", Height: 520, Rows: inTwos(f.strategies, goodput), OneScale: true}},
		{"layers.svg", chart.Sheet{Title: "Load at the peer below three layers that retry, requests per second", Height: 370, Rows: inTwos(f.layers, load)}},
	}
}

// inTwos puts the panels of the records into rows of two.
func inTwos(records []*sim.Record, panel func(*sim.Record) chart.Panel) (rows []chart.Row) {
	for i := 0; i < len(records); i += 2 {
		rows = append(rows, chart.Row{panel(records[i]), panel(records[i+1])})
	}
	return rows
}

func load(r *sim.Record) chart.Panel {
	p := base(r, r.Load)
	p.Title = r.Strategy
	p.Note = fmt.Sprintf("%.2f requests per call in the outage, at most %s in a second", r.AmplificationInOutage(), count(r.PeakLoad()))
	p.Level, p.LevelName = float64(r.Model.Capacity), "capacity"
	return p
}

func goodput(r *sim.Record) chart.Panel {
	p := base(r, r.Answered)
	p.Title = r.Strategy
	p.Note = "recovered " + recovery(r) + "; " + count(r.Lost()) + " calls lost"
	p.Level, p.LevelName = float64(r.Model.Rate), "calls made"
	return p
}

// top is the upper panel of a strategy in the picture that tells the story.
func top(r *sim.Record, title string) chart.Panel {
	p := load(r)
	p.Title, p.Note = title, "requests per second at the peer"
	p.CalloutAt = float64(r.Model.Capacity) * 1.7
	switch {
	case p.Tone == chart.Storm:
		p.Callout = fmt.Sprintf("%.1f requests per call", r.AmplificationInOutage())
	case r.PeakLoad() <= r.Model.Capacity:
		p.Callout = "never above capacity"
	}
	return p
}

func bottom(r *sim.Record) chart.Panel {
	p := goodput(r)
	p.Title, p.Note = "", "calls answered per second"
	p.Callout, p.CalloutAt = "recovered "+recovery(r), float64(r.Model.Rate)/2
	if p.Tone == chart.Storm {
		p.Callout = "the storm outlives the outage"
	}
	return p
}

// base is a panel of what was counted in the seconds in which calls began.
func base(r *sim.Record, counted []int) chart.Panel {
	p := chart.Panel{
		Values:    make([]float64, len(r.Calls)),
		From:      int(r.Model.Before / time.Second),
		To:        int((r.Model.Before + r.Model.Outage) / time.Second),
		ShadeName: "outage",
	}
	for second := range min(len(counted), len(p.Values)) {
		p.Values[second] = float64(counted[second])
	}
	if _, recovered := r.Recovery(); !recovered {
		p.Tone = chart.Storm
	}
	return p
}
