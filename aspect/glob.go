package aspect

// matchGlob matches text against a pattern in which * is any run of characters within a segment of a path, ** any run at
// all, and everything else itself. Segments are separated by slashes. It takes time in proportion to the product of both
// lengths, whatever the pattern.
func matchGlob(pattern, text string) bool {
	// reach[i] says that what is done of the pattern can match text[:i].
	reach := make([]bool, len(text)+1)
	reach[0] = true
	for p := 0; p < len(pattern); p++ {
		if pattern[p] != '*' {
			for i := len(text); i > 0; i-- {
				reach[i] = reach[i-1] && text[i-1] == pattern[p]
			}
			reach[0] = false
			continue
		}
		crosses := false
		for p+1 < len(pattern) && pattern[p+1] == '*' {
			crosses = true
			p++
		}
		for i := 1; i <= len(text); i++ {
			reach[i] = reach[i] || reach[i-1] && (crosses || text[i-1] != '/')
		}
	}
	return reach[len(text)]
}
