package retry

import (
	"testing"
	"time"
)

var benchBudget = BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}

func BenchmarkBudgetDeposit(b *testing.B) {
	bud := newBudget("", benchBudget)
	b.ReportAllocs()
	for b.Loop() {
		bud.deposit(5)
	}
}

func BenchmarkBudgetDepositStriped(b *testing.B) {
	bud := newBudget("", benchBudget)
	bud.deposits.stripe()
	b.ReportAllocs()
	for b.Loop() {
		bud.deposit(5)
	}
}

func BenchmarkBudgetDepositParallel(b *testing.B) {
	bud := newBudget("", benchBudget)
	b.RunParallel(func(pb *testing.PB) {
		for t := int64(0); pb.Next(); t += 37 { // a clock that runs, as it does between calls
			bud.deposit(t)
		}
	})
}

// A take that is paid for and given back, so that the budget never runs dry.
func BenchmarkBudgetTake(b *testing.B) {
	bud := newBudget("", benchBudget)
	b.ReportAllocs()
	for b.Loop() {
		k, _ := bud.take(5)
		bud.giveBack(k)
	}
}

func BenchmarkBudgetTakeRefused(b *testing.B) {
	bud := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 0.2})
	b.ReportAllocs()
	for b.Loop() {
		bud.take(5)
	}
}

func BenchmarkBudgetTakeRefusedStriped(b *testing.B) {
	bud := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 0.2})
	bud.deposits.stripe()
	b.ReportAllocs()
	for b.Loop() {
		bud.take(5)
	}
}

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		now()
	}
}
