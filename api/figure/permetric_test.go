package figure_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// A PerMetric works like a map, whichever metrics it holds, and keeps their order.
func TestPerMetricIsAMap(t *testing.T) {
	t.Parallel()
	for has := range 1 << len(figure.FigureKeys) {
		if has%97 != 0 && has < 1<<len(figure.FigureKeys)-20 { // a few hundred of the sets, and the nearly full ones
			continue
		}
		want, keys := map[string]int{}, []string{}
		var got figure.PerMetric[int]
		for i := range figure.FigureKeys { // from the last to the first and back, as 7 and their number share no factor
			i = (7 * i) % len(figure.FigureKeys)
			if key := figure.FigureKeys[i]; has>>i&1 == 1 {
				want[key] = i
				got.Put(key, -1)
				got.Put(key, i)
			}
		}
		for key := range got.All() {
			keys = append(keys, key)
		}
		if !slices.IsSortedFunc(keys, func(a, b string) int {
			return slices.Index(figure.FigureKeys, a) - slices.Index(figure.FigureKeys, b)
		}) || got.Len() != len(want) {
			t.Fatalf("%b: %v", has, keys)
		}
		var read figure.PerMetric[int]
		object, err := json.Marshal(got)
		if err := json.Unmarshal(object, &read); err != nil {
			t.Fatal(err)
		}
		plain, _ := json.Marshal(want)
		if diff := cmp.Diff(want, maps.Collect(read.All())); err != nil || string(object) != string(plain) || diff != "" {
			t.Fatalf("%s, want %s: %v\n%s", object, plain, err, diff)
		}
		copied := got // later additions must not show in the original
		for i, key := range figure.FigureKeys {
			if has>>i&1 == 0 {
				copied.Put(key, -2)
			}
		}
		for i, key := range figure.FigureKeys {
			value, ok := got.Find(key)
			if _, added := copied.Find(key); !added || ok != (has>>i&1 == 1) || ok && value != i || value != got.At(key) {
				t.Fatalf("%b: %s is %d, %v, and in a copy %v", has, key, value, ok, added)
			}
		}
	}
	one := figure.PerMetric[int]{}
	one.Put(figure.RandWriteIOPS, 1)
	two := one.Clone()
	if two.Put(figure.RandWriteIOPS, 2); one.At(figure.RandWriteIOPS) != 1 || two.At(figure.RandWriteIOPS) != 2 {
		t.Errorf("%v and its clone %v", one, two)
	}
	if value, ok := new(figure.PerMetric[int]).Find("no metric"); ok || value != 0 {
		t.Errorf("no metric: %d", value)
	}
	var later figure.PerMetric[int] // of a version that knows more metrics
	if err := json.Unmarshal([]byte(`{"rand_write_iops": 3, "colour": 4}`), &later); err != nil || later.Len() != 1 ||
		later.At(figure.RandWriteIOPS) != 3 {
		t.Errorf("%v: %v", later, err)
	}
}
