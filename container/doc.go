// Package container builds services with what they need, weaves what is declared for their methods around them, and
// verifies all of it before the first constructor runs.
//
// # Provide and use services
//
// A constructor's parameters are what it needs, and its results are what it provides:
//
//	c := container.New()
//	c.Provide(NewStripeGateway, container.As[PaymentGateway]()) // func(*http.Client) *StripeGateway
//	c.Provide(NewCheckout)                                      // func(PaymentGateway) (*Checkout, error)
//	c.Supply(http.DefaultClient)
//	err := c.Invoke(func(shop *Checkout) error { return shop.Run(ctx) })
//
// [Container.Invoke] calls a func with its parameters injected. [Get] returns one service, [Container.Lookup] one by the
// name of its class. Each service is built once, when it is first needed.
//
// Constructors may have any parameters, several results and an error as the last one. Structs that embed [In] gather
// parameters, structs that embed [Out] gather results; their fields can be named, optional or groups:
//
//	type CheckoutParams struct {
//		container.In
//		Primary  PaymentGateway
//		Backup   PaymentGateway `name:"backup"`
//		Metrics  *Metrics       `optional:"true"`
//		Checks   []Check        `group:"checks"` // in order of registration
//	}
//
// # Declare what a method does when its call fails
//
// Marks on the struct of a service hold whatever it is provided as; [Annotate] adds to them where the service is
// provided, and beats them setting by setting:
//
//	c.Provide(NewStripeGateway, container.As[PaymentGateway](),
//		container.Annotate[aliases.Retry](PaymentGateway.Charge,
//			annotation.MaxAttempts(3),
//			annotation.Fallback((*OfflineGateway).Charge)))
//
// Whoever takes a PaymentGateway gets the woven one. What is woven is the interface, or the func type, that a service is
// provided as: a service that is provided as its concrete type cannot be, and marks on it are a definition error. Fallbacks
// and other references by Class@Method are found in the container and built before the service is woven.
//
// A constructor that returns an interface hides the marks of what it builds; say [Impl].
//
// # Verify the wiring
//
// [Container.Verify] reports everything that is wrong at once, each with file and line and what to write instead, and
// runs no constructor: missing dependencies, cycles, marks and references that do not fit, pointcuts that match nothing.
// Call it in a test; package containertest helps. The first Invoke, Get or Lookup does the same and uses nothing when
// something is wrong. From then on the plan is frozen: a Provide that comes later is an error of every use that follows.
//
// # Put code around calls
//
// A service that is an aspect runs around what a pointcut matches:
//
//	c.Provide(NewAudit, container.AsAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1))
//
// # Decorate a service
//
// A func that takes a service and returns what stands in its place is a decorator. It is injected like a constructor; several
// of one service stand around each other, the last one outermost, and all stand under the weave:
//
//	c.Decorate(func(g PaymentGateway, log *slog.Logger) PaymentGateway { return &logged{g, log} })
//	c.Decorate(newCache, container.Name("catalog"))    // of the one of that name
//	c.Decorate(newTraced, container.Group("handlers")) // each member of the group
//
// A decorator changes what one service does, for everybody who takes it; an aspect stands around methods of many services,
// whatever their signatures. What is declared for a service stays what it is: see [Container.Decorate].
//
// # Take several services at once
//
// Services that are provided with [Group] are taken together, as a slice in order of registration, or as a map by their
// names. After a comma the tag says more: "soft" takes only what something else has built, and with "required" Verify
// refuses a group that nobody is in:
//
//	c.Provide(NewMail, container.As[Channel](), container.Group("channels"), container.Name("mail"))
//	c.Provide(NewSMS, container.As[Channel](), container.Group("channels"), container.Name("sms"))
//
//	type NotifierParams struct {
//		container.In
//		Channels map[string]Channel `group:"channels,required"`
//	}
//
// A service that has a name as well is found alone too. [As] takes the place of a service's own type as a key; [AsSelf]
// keeps that, for who needs the bare target. [Options] bundles what several registrations have in common.
//
// # Live as long as a request
//
// A service is built once, unless its registration says otherwise: [Scoped] builds it once in each scope, [Transient] each
// time that it is asked for. A scope is opened for a request, a job or a message, is given what only that knows, and is
// closed when it ends:
//
//	c.Provide(NewTenantCatalog, container.As[Catalog](), container.Scoped()) // func(Tenant, *Backend) *TenantCatalog
//	container.Expect[Tenant](c)                                              // each scope is supplied with one
//
//	func handle(w http.ResponseWriter, r *http.Request) {
//		scope := c.Scope()
//		defer scope.Close(r.Context())
//		scope.Supply(Tenant{r.Header.Get("X-Tenant")})
//		catalog, err := container.Get[Catalog](scope)
//		...
//
// [Scope.Close] closes what was built in the scope, the last first. Instances are many and short-lived, but what is
// declared belongs to the registration: one breaker and one budget of TenantCatalog, whatever the tenant. So what an
// annotation refers to is a singleton, or the service itself.
//
// Who lives longer cannot take what lives shorter: a singleton that takes a scoped service is found by Verify, which says
// by which path. It is made scoped too, or gets what it needs from a [Provider], which builds a transient at each Get. In a
// scoped service a [Lazy] gives what its scope has, and a Provider builds in its scope.
//
// # Start and stop
//
// A service that has a method Start(context.Context) error, Stop(context.Context) error or Health(context.Context) error
// has a life; [OnStart], [OnStop] and [OnHealth] give one to a type that has not. [Container.Start] builds every singleton and
// starts each after what it needs, [Container.Stop] stops them in reverse, and both do at the same time what does not need
// each other. Each call has a timeout of its own. [Container.Run] does both, and waits for a signal in between:
//
//	c.Provide(NewQueue) // func(*sql.DB) *Queue, with a Start and a Stop
//	c.Provide(NewServer, container.StopTimeout(time.Minute),
//		container.OnStart(func(ctx context.Context, s *http.Server) error { return listen(ctx, s) }),
//		container.OnStop(func(ctx context.Context, s *http.Server) error { return s.Shutdown(ctx) }))
//	c.Provide(func(cfg Config) (*sql.DB, func() error, error) { ... }) // the func cleans up
//	err := c.Run(context.Background())
//
// When something fails to start, what has been started is stopped, and the errors of all are joined. A program that does
// not start its services calls Stop all the same: it closes what was built, and runs the cleanups that constructors have
// returned. A service that cannot go on ends the program by the cause of the context that Run gets. [Container.Health] asks all services how they are, and [Container.HealthHandler] tells that to a probe.
//
// # Calls that a service makes on itself
//
// The weave stands between a service and those who take it. A method that calls another method of its own receiver calls
// the target, not the woven service: no retry, no aspect. A service that wants its own calls woven takes itself as a
// [Lazy] and calls through that:
//
//	func NewPgReports(self container.Lazy[Reports]) *PgReports { return &PgReports{self: self} }
//
//	func (r *PgReports) Monthly(ctx context.Context) error {
//		reports, err := r.self.Get()
//		if err != nil {
//			return err
//		}
//		return reports.Daily(ctx) // retried, as declared
//	}
//
// A Lazy also breaks a cycle: one of two services that need each other takes the other as a Lazy.
//
// # Replace a service in a test
//
// [Container.Override] puts another target under the weave; what is declared for the service stays:
//
//	c.Override(func() PaymentGateway { return &fakeGateway{fail: 3} })
//
// # See what is wired
//
// [Container.Explain] tells all of it, at any time and without building anything: printed, it says of each service where
// it comes from, what it needs, how it is woven and how long its constructor took, and of each method the chain around it and
// where each of its settings was written:
//
//	fmt.Println(c.Explain())
//
// The same is a picture for Graphviz, by its method DOT, and for what shows Markdown, by Mermaid; package explain says how
// to read it. It shows no times, so it can be kept beside the code, and a test can compare it.
//
// # Watch and steer
//
// Services that are provided as a retry.Listener, and those given to [WithListener], are told what happens.
// [Container.Breakers] and [Container.Breaker] give operators their handles, [Container.Registry] tells what is declared,
// [Container.Notes] what is not wrong but should be known.
package container
