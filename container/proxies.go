package container

import (
	"reflect"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Proxy tells how a service is woven.
type Proxy struct {
	Ref        retry.MethodRef // class and name of the service
	Interfaces []reflect.Type  // what it is woven as: interfaces, or one func type
	Kind       aspect.ProxyKind
}

// Proxies tells of every service that is woven how its proxy is made, in order of registration: by generated code, or at
// run time. It freezes the plan and builds nothing. See [RequireGenerated], and aspect.KindOf for a value.
func (c *Container) Proxies() (all []Proxy) {
	p, _ := c.plan()
	for _, s := range p.services {
		if s.isWoven() {
			all = append(all, Proxy{Ref: s.ref, Interfaces: s.interfaces(), Kind: s.plan.Kind()})
		}
	}
	return all
}
