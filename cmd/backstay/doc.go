// Backstay generates proxies: for an interface, a type that implements it and runs aspects - retries, breakers, your own -
// around the calls of another value that does. It writes plain Go without reflection on the call path.
//
// Services are woven without it too, by proxies that are made at run time. Generated ones are faster, work on every
// architecture, and are possible for interfaces with unexported methods. A container prefers them by itself, and
// container.RequireGenerated allows no others.
//
// # Getting it
//
// The generator belongs to the library's module, so that both have the same version:
//
//	go get -tool github.com/backstay/backstay/cmd/backstay
//
// # Directives
//
// Name the interfaces beside their declarations, and run go generate:
//
//	//go:generate go tool backstay -type PaymentGateway,Ledger
//
// All directives of a package that name no file of their own make one file together, backstay_gen.go, and each of them
// makes the whole of it. Directives in _test.go files, and interfaces that are declared there, go to backstay_gen_test.go.
// The flag -o names another file.
//
// A directive may also say go run github.com/backstay/backstay/cmd/backstay@version, or have the command's name defined by
// the flag -command of a directive before it. To run all directives of many packages at once, which is faster than go generate:
//
//	go tool backstay ./...
//
// # Checking
//
// In CI, this exits with status 1 and lists the files that are missing, out of date, or not asked for any more:
//
//	go tool backstay -check ./...
//
// Files are written only when they change. A file that the generator has not written is never touched, and none is ever
// deleted. Generated files that do not compile, in the package or in those that it imports, do not hinder it, nor does
// code that refers to what is still to be generated.
//
// # Interfaces of other packages
//
// The proxy is written into the package with the directive:
//
//	//go:generate go tool backstay -type net/http.RoundTripper
//
// Where the file imports the package, the name that it has there will do: http.RoundTripper.
//
// # Generic interfaces
//
// The proxy of a generic interface is generic, and is registered for each list of type arguments. Those that the package's
// own code writes out, like Repo[string, Order], are found by themselves; in test files they count for what is generated
// into test files. Others can be named, with types as the file with the directive would write them, or with the import path
// of their package:
//
//	//go:generate go tool backstay -type "Repo,Repo[string,Order],Repo[int,example.com/shop/stock.Item]"
//
// The generated function RegisterRepoProxy registers further ones from elsewhere.
//
// # Build tags
//
// The output is built under the constraint of the interface's file, and of the file with the directive: its //go:build
// line, and the system or architecture in its name. Interfaces with different constraints need files of their own, and tags
// have to be given:
//
//	//go:generate go tool backstay -type Recorder -tags integration -o integration_gen.go
package main
