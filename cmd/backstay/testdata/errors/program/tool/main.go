// Tool is a program.
package main

// Runner is an interface of a program.
type Runner interface{ Run() error }

func main() {}
