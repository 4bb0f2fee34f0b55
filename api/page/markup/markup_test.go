package markup

import "testing"

type named string

func TestOnlyNumbersAndFinishedHTMLStandAsTheyAre(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert('x')</script>&`
	const escaped = "&#34;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;"
	for _, value := range []any{hostile, named(hostile), []string{hostile}[0]} {
		if got, want := string(Append([]byte("<p>"), `<b title="%s">`, value)), `<p><b title="`+escaped+`">`; got != want {
			t.Errorf("%T: got %s, want %s", value, got, want)
		}
	}
	if got, want := string(Append(nil, "%s%d %v", HTML("<i>"), 12, 0.5)), "<i>12 0.5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
