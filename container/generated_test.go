//go:build generated

package container_test

// With the tag "generated" everything that is tested here is tested through generated proxies: go test -tags generated ./...

//go:generate go tool backstay -tags generated -o generated_gen_test.go -type Both,Caller,Closer,Depot,Differs,Pusher,Reports,Wide,differentCaller,offline,io.ReadCloser,io.WriteCloser
