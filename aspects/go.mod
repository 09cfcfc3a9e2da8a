module github.com/backstay/backstay/aspects

go 1.26.0

require (
	github.com/backstay/backstay v0.0.0
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
	golang.org/x/time v0.16.0
	pgregory.net/rapid v1.3.0
)

require (
	go.uber.org/dig v1.19.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/backstay/backstay => ../
