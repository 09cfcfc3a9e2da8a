package calls

import (
	"context"
	"reflect"

	"github.com/ovechkin-dm/go-dyno/pkg/dyno"
)

// handDecorator is one layer around a call as people write it.
var handDecorator = Contender{Name: "hand-written decorator, no retry", Kind: Hand, Wrap: func(target Service) Service {
	return &decorator{target}
}}

type decorator struct{ next Service }

func (d *decorator) Get(ctx context.Context, key string) (string, error) { return d.next.Get(ctx, key) }

// NameBareMakeFunc is what run-time proxies are compared with.
const NameBareMakeFunc = "bare reflect.MakeFunc that forwards by reflection, no retry"

// bareMakeFunc is the least that a proxy can do that knows no types: take the arguments by reflection and give them to
// the target by reflection.
var bareMakeFunc = Contender{Name: NameBareMakeFunc, Kind: Floor, Wrap: func(target Service) Service {
	method := reflect.ValueOf(target).MethodByName("Get")
	get := reflect.MakeFunc(method.Type(), func(args []reflect.Value) []reflect.Value { return method.Call(args) })
	return ServiceFunc(get.Interface().(func(context.Context, string) (string, error)))
}}

// dynoProxy looks the target's method up once; the library's own example does so in each call.
var dynoProxy = Contender{Name: "go-dyno proxy that forwards by reflection, no retry", Kind: Peer, Wrap: func(target Service) Service {
	method := reflect.ValueOf(target).MethodByName("Get")
	proxy, err := dyno.Dynamic[Service](func(_ reflect.Method, args []reflect.Value) []reflect.Value { return method.Call(args) })
	if err != nil {
		panic(err)
	}
	return proxy
}}
