// Package program asks for an interface of a program.
package program

//go:generate go tool backstay -type errors/program/tool.Runner
