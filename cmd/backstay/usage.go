package main

// usage is what -h prints.
const usage = `Backstay writes proxies for interfaces: plain Go that runs aspects around each call.

Usage:

	go tool backstay -type LIST [-o FILE] [-tags LIST] [-check] [package]
	go tool backstay [-tags LIST] [-check] packages

The first form writes the proxies of the named interfaces of the package in the current directory, together with those that
other directives of the package ask for in the same file. It is what directives in Go files use:

	//go:generate go tool backstay -type PaymentGateway,Ledger

The second form does what all directives in the given packages say, at once.

	-type LIST   interfaces, separated by commas:
	             Name                   of this package
	             Repo[string,Order]     an instantiation to register, of a generic one; types as in
	                                    the file with the directive, or with their import path
	             net/http.RoundTripper  of another package; also http.RoundTripper, where it is
	                                    imported; the proxy is written into this package
	-o FILE      name of the file, in the package's directory; else backstay_gen.go, or
	             backstay_gen_test.go for what is declared, or asked for, in _test.go files
	-tags LIST   build tags, separated by commas, as for go build
	-check       write nothing; list the files that are missing, out of date, or not asked for any more
	-h           print this

Examples:

	go get -tool github.com/backstay/backstay/cmd/backstay   # once per module
	go generate ./...                                        # run all directives, one by one
	go tool backstay ./...                                   # the same, faster
	go tool backstay -check ./...                            # in CI
	go tool backstay -type 'Repo,Repo[string,Order]'         # by hand
	go tool backstay -type Store -tags integration -o integration_gen.go

The exit status is 0 if all is well; 1 if something must be changed, or -check has found something; 2 for wrong usage.
`
