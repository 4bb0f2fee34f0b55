package figure

import (
	"encoding/json"
	"iter"
	"math/bits"
	"slices"
)

// PerMetric holds at most one value for each metric, in the order of Metrics, and takes no more memory than these
// values: the publisher keeps the values of all modules, and a map of 16 keys has room for 32. Its JSON is an object by
// keys. A copy shares the values that it has in common with the original; Clone makes one that shares none.
type PerMetric[T any] struct {
	has    uint64 // bit i: Metrics[i] has a value
	values []T
}

// perMetric makes a PerMetric of values by their keys. It leaves out metrics that this version does not know.
func perMetric[T any](by map[string]T) PerMetric[T] {
	p := PerMetric[T]{values: make([]T, 0, len(by))}
	for i, key := range FigureKeys {
		if value, has := by[key]; has {
			p.has |= 1 << i
			p.values = append(p.values, value)
		}
	}
	return p
}

// Find returns the value of a metric, and whether there is one.
func (p PerMetric[T]) Find(key string) (value T, ok bool) {
	i, ok := p.find(key)
	if ok {
		value = p.values[i]
	}
	return value, ok
}

// At returns the value of a metric; zero: there is none.
func (p PerMetric[T]) At(key string) T {
	value, _ := p.Find(key)
	return value
}

// find returns where in p.values the value of a metric is, or has to be put.
func (p PerMetric[T]) find(key string) (i int, ok bool) {
	at := slices.Index(FigureKeys, key)
	if at < 0 {
		return 0, false
	}
	return bits.OnesCount64(p.has & (1<<at - 1)), p.has>>at&1 == 1
}

// Put sets the value of one of the Metrics.
func (p *PerMetric[T]) Put(key string, value T) {
	i, has := p.find(key)
	if has {
		p.values[i] = value
		return
	}
	p.has |= 1 << slices.Index(FigureKeys, key)
	p.values = slices.Insert(slices.Clip(p.values), i, value) // clipped: copies keep theirs where they are
}

// Len counts the metrics that have a value.
func (p PerMetric[T]) Len() int { return len(p.values) }

// All yields keys and values in the order of Metrics.
func (p PerMetric[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, key := range FigureKeys {
			if value, has := p.Find(key); has && !yield(key, value) {
				return
			}
		}
	}
}

// Clone returns a copy that shares nothing with p.
func (p PerMetric[T]) Clone() PerMetric[T] { return PerMetric[T]{p.has, slices.Clone(p.values)} }

// MarshalJSON implements json.Marshaler.
func (p PerMetric[T]) MarshalJSON() ([]byte, error) {
	by := make(map[string]T, p.Len())
	for key, value := range p.All() {
		by[key] = value
	}
	return json.Marshal(by)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *PerMetric[T]) UnmarshalJSON(data []byte) error {
	var by map[string]T
	err := json.Unmarshal(data, &by)
	*p = perMetric(by)
	return err
}
