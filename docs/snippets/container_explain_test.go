package snippets_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

func TestExplain(t *testing.T) {
	c := container.New()
	Wire(c)

	wiring := c.Explain()
	fmt.Println(wiring)           // all of it, as a tree
	fmt.Println(wiring.DOT())     // a picture for Graphviz
	fmt.Println(wiring.Mermaid()) // the same for what shows Markdown

	containertest.Golden(t, "testdata/container_explain.txt", wiring.String())
	containertest.Golden(t, "testdata/container_explain.mmd", wiring.Mermaid())

	gateway := wiring.Find("StripeGateway")
	require.Equal(t, "run-time", gateway.Proxy)
}
