module github.com/backstay/backstay/dashboard/browser

go 1.26.0

require (
	github.com/backstay/backstay v0.0.0
	github.com/chromedp/cdproto v0.160.1
	github.com/chromedp/chromedp v0.23.1
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	go.uber.org/dig v1.19.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/backstay/backstay => ../..
