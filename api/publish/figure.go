package publish

import "flashdex/api/page"

func counted(n int, noun string) string { return page.Counted(n, noun) }
