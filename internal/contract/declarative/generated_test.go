//go:build generated

package declarative_test

// With the tag "generated" everything that is tested here is tested through generated proxies: go test -tags generated ./...

//go:generate go tool backstay -tags generated -o generated_gen_test.go -type Catalog,Orders,Peer,Quick,Reports,Shop,Store,Web
