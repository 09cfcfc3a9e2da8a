// Package sim plays, in virtual time, what becomes of a peer with limited capacity when the processes that call it retry.
//
// # The model
//
// A fleet of client processes calls one peer. Calls come whatever becomes of those before them (the loop is open, as it is
// where the callers are users), at a rate that the peer serves with room to spare. For a while, the outage, the peer's
// requests fail at the end of their work, as they do when its database has gone. Then the peer is as well as before, and
// whether the callers see that is the question.
//
//	clients         processes, each with a policy of its own: its own budget, its own breaker. None knows of the others.
//	rate            calls per second, of all clients together; each client's come at random, one by one. They go on for 10 s
//	                after what is counted, so that its last calls meet what all others meet
//	patience        how long a caller waits for an answer, 1 s: the AttemptTimeout of all strategies
//	attempts, wait  4 attempts, the first wait 100 ms, of all strategies that retry
//	capacity        requests per second that the peer can serve while nothing waits
//	service time    50 ms on average, half of that to half again as much; so the peer has capacity·50 ms workers
//	queue           requests that may wait, 2 s of capacity: more than callers have patience for, as queues are
//	crowding        with a full queue each piece of work takes a quarter longer
//	refusal         a request that meets a full queue is refused at once, which costs a fiftieth of the work of serving it
//	bad luck        1 % of requests fail without any outage
//
// The peer does not know whether a caller still waits: work for one that has gone is done all the same. That, and the queue
// that is longer than patience, is what keeps a storm alive after its cause has gone: the peer is busy with requests nobody
// waits for any more, and those who gave up send new ones.
//
// # What is real and what is not
//
// The policies are the product's own: chains of package retry, and services woven by package container, called by a goroutine
// for each call. Nothing of them is computed by a formula. Time is virtual: everything here must run inside a bubble of
// testing/synctest, where a sleep takes no time. The network takes none either, and the peer is a queue with workers, whose
// answers are known as soon as a request has come in.
//
// # The same each time
//
// Everything is drawn from generators that the seed sets up, and no two calls ever act at the same instant (see tick), so
// neither the scheduler nor the number of processors can change a figure.
package sim
