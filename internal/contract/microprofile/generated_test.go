//go:build generated

package microprofile_test

// With the tag "generated" everything that is tested here is tested through generated proxies: go test -tags generated ./...

//go:generate go tool backstay -tags generated -o generated_gen_test.go -type declaredCloser,declaredIsException,declaredJob,declaredOthers,declaredSelecting,declaredServer,declaredServes,declaredShop,declaredStocked,declaredTimed,declaredVariadic,sFront,sOrders,sPromising,sService,switchProbe
