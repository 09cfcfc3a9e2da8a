// Package load type-checks the packages that get generated files. It is made for packages whose code does not compile yet,
// since it refers to what is to be generated, and for old generated files that are broken:
//
//   - the packages themselves are checked from source, without the files that the generator has written, and whatever
//     errors there are are kept and left to the caller;
//   - what they import comes from export data, which the go command makes and caches;
//   - what has no export data, because something in it does not compile, is checked from source too, function bodies and
//     generated files left out;
//   - should the go command not even see the packages through the generated files, it is shown empty ones.
package load
