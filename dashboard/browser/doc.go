// Package browser tests the page of [github.com/backstay/backstay/dashboard] as an operator uses it: in a real Chromium, over
// containers whose peers fail and recover. It is a module of its own, so that users of the dashboard never download a driver
// of browsers, and has nothing but tests.
//
//	go test ./...
//
// needs a Chromium that is found as chromium, chromium-browser or google-chrome. Without one the tests are skipped; with
// CI_BROWSER=required in the environment they fail instead. With BACKSTAY_UPDATE=1 the pictures in docs/dashboard are taken
// anew.
package browser
