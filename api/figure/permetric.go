package figure

import (
	"encoding/json"
	"iter"
	"math/bits"
	"slices"
)

// PerMetric holds at most one value for each metric, in the order of Metrics. It takes no more memory than these
// values, because the publisher keeps the values of all modules, and a map of 16 keys has room for 32. Its JSON is an
// object by keys. A copy shares its values with the original; Clone makes a copy that shares none.
type PerMetric[T any] struct {
	has    uint64 // bit i: Metrics[i] has a value
	values []T
}

// perMetric makes a PerMetric from values by their keys. It leaves out metrics that this version doesn't know.
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

// find returns the index of a metric's value in p.values, or the index to insert it at.
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
	p.values = slices.Insert(slices.Clip(p.values), i, value) // clipped, so that copies keep their values
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
