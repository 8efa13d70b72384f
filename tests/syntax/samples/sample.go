// Copyright 2020 The Authors. All rights reserved.

// Package cache keeps answers for a while.
package cache

import (
	"fmt"
	log "github.com/acme/logging/v2"
)

const DefaultSize = 128

const (
	Red Color = iota
	Green
)

var ErrMissing = fmt.Errorf("missing")

// Color is a colour.
type Color int

type Alias = map[string]int

// Cache holds entries.
type Cache[K comparable, V any] struct {
	entries map[K]V
	Size    int
}

// Store is what a cache sits on.
type Store interface {
	Get(key string) ([]byte, error)
	fmt.Stringer
}

// Get returns an entry.
func (c *Cache[K, V]) Get(key K) (V, error) {
	value, ok := c.entries[key]
	if !ok {
		log.Print("miss")
	}
	return value, nil
}

func New(size int) *Cache[string, int] {
	local := func() int { return size }
	return &Cache[string, int]{Size: local()}
}

func TestGet(t *testing.T) {
	t.Run("hit", func(t *testing.T) {})
}
