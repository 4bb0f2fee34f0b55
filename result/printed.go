package result

import "fmt"

// Treatment says how a module treats zeros and pieces of 512 bytes, beside random data and pieces of 1 MiB. The article
// of MethodAltechnative2012 uses zeros and 512 bytes. Treatment compares linear tests of that method that differ only
// in one of these. It returns "" if a document has no such tests.
func (d *Document) Treatment() (text string) {
	const small, large = 512, 1 << 20
	share := func(of, to *Test) string { return Number(100*of.Figures().MBPerS/to.Figures().MBPerS) + " %" }
	zeros, read := d.TestOf(SeqRewrite, large), d.TestOf(SeqRead, large)
	write, smallZeros, smallRead := d.TestOf(SeqWrite, large), d.TestOf(SeqWrite, small), d.TestOf(SeqRead, small)
	if d.Method != MethodAltechnative2012 || zeros == nil || write == nil {
		return ""
	}
	text = fmt.Sprintf("The module writes zeros at %s of the rate of random data, both 1 MiB at a time.",
		share(zeros, write))
	if smallZeros != nil && smallRead != nil && read != nil {
		text += fmt.Sprintf(" 512 B at a time, it reads at %s and writes zeros at %s of the rate of 1 MiB at a time.",
			share(smallRead, read), share(smallZeros, zeros))
	}
	return text
}
