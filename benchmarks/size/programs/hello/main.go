// Command hello is the floor of the comparison: it has no container at all.
package main

import "os"

func main() {
	os.Stdout.WriteString("hello, world\n")
}
