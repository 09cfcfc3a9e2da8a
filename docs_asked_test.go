package backstay_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asked are the numbers that docs/container.md has to answer, by the tracker that they are of.
var asked = map[string]string{
	"dig": `439 182 391 389 414 241 258 315 374 397 380 381 120 442 441 338 429 402 324 230 248 246 213 236 289 363 386 387 271
		197 341 318 283 254 273`,
	"fx":         "1036 998 807 900 1277 678 1280 841 850 864 940 1144 1222 1257 1245 1035 991 725 1181 649 653",
	"wire":       "242 285 207 246 296 266 257 300 45 77 107",
	"samber/do":  "36 41 76 114",
	"IOC-golang": "142 46 90 130",
}

// Whatever was asked for is answered once: how it is done here and by which test that is shown, or why it is not done.
func TestWhatUsersOfOtherContainersAskedForIsAnswered(t *testing.T) {
	_, text, found := strings.Cut(readMe(t, "docs/container.md"), "\n## What users of other containers asked for\n")
	require.True(t, found)
	number := regexp.MustCompile(`#(\d+)`)
	test := regexp.MustCompile("^`([a-z/]+)\\.((?:Test|Example|Fuzz)\\w*)`$")
	byDir := map[string]map[string]bool{}
	answered := map[string][]string{}
	for section := range strings.SplitSeq(text, "\n### ") {
		tracker, rows, _ := strings.Cut(section, "\n")
		for row := range strings.Lines(rows) {
			cells := strings.Split(row, " | ")
			if len(cells) != 4 || !number.MatchString(cells[0]) {
				continue
			}
			for _, n := range number.FindAllStringSubmatch(cells[0], -1) {
				answered[tracker] = append(answered[tracker], n[1])
			}
			require.NotEmpty(t, cells[1], row)
			require.NotEmpty(t, cells[2], row)
			if shown := strings.TrimSuffix(cells[3], " |\n"); shown != "-" {
				for name := range strings.SplitSeq(shown, ", ") {
					m := test.FindStringSubmatch(name)
					require.NotNil(t, m, "%q names no test: %s", name, row)
					if byDir[m[1]] == nil {
						byDir[m[1]] = testsOf(t, m[1])
					}
					require.True(t, byDir[m[1]][m[2]], "there is no %s in %s", m[2], m[1])
				}
			} else {
				require.True(t, strings.HasPrefix(cells[2], "Not done"), "no test shows %s", row)
			}
		}
	}
	for tracker, numbers := range asked {
		want := strings.Fields(numbers)
		slices.Sort(want)
		slices.Sort(answered[tracker])
		require.Equal(t, want, answered[tracker], tracker)
		delete(answered, tracker)
	}
	require.Empty(t, answered)
}

// What the guide shows as output is that of a run, which a test in docs/snippets compares.
func TestOutputInTheGuideToTheContainerIsThatOfARun(t *testing.T) {
	files, err := filepath.Glob("docs/snippets/testdata/container_*")
	require.NoError(t, err)
	var outputs strings.Builder
	for _, file := range files {
		outputs.WriteString("\n" + readMe(t, file) + "\n")
	}
	block := regexp.MustCompile("(?s)\n```(?:text|mermaid)\n(.*?\n)```\n")
	blocks := block.FindAllStringSubmatch(readMe(t, "docs/container.md"), -1)
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		require.Contains(t, outputs.String(), "\n"+b[1])
	}
}

// Links of the guide lead to files and headings that are there.
func TestLinksOfTheGuideToTheContainerLeadSomewhere(t *testing.T) {
	heading := regexp.MustCompile("(?m)^#+ (.*)$")
	other := regexp.MustCompile(`[^a-z0-9 -]`)
	code := regexp.MustCompile("(?s)\n```.*?\n```\n|`[^`\n]*`")
	text := code.ReplaceAllString(readMe(t, "docs/container.md"), "code")
	links := regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		file := "docs/container.md"
		if link[1] != "" {
			file = filepath.Join("docs", link[1])
		}
		anchors := []string{""}
		for _, h := range heading.FindAllStringSubmatch(readMe(t, file), -1) {
			anchors = append(anchors, strings.ReplaceAll(other.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
		}
		require.Contains(t, anchors, link[2], link[0])
	}
}
