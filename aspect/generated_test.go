//go:build generated

package aspect_test

// With the tag "generated" everything that is tested here is tested through generated proxies: go test -tags generated ./...

//go:generate go tool backstay -tags generated -o generated_gen_test.go -type Account,Animal,Balancer,Books,Box,Gateway,Lister,Loader,Mailer,Named,Reader,Store,Twice,Upload,Wheel,Wide,Repo[User],joined,namer
//go:generate go tool backstay -tags generated -o generated_gen_test.go -type net/http.RoundTripper,io.Reader,math/rand.Source,math/rand/v2.Source,net/http.Handler,io.ReadWriteCloser,sort.Interface,io/fs.FS,database/sql/driver.Conn,database/sql/driver.Connector
