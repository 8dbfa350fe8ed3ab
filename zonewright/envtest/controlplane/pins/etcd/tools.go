//go:build tools

// Package tools names etcd, so that go.sum covers everything it is built from.
package tools

import _ "go.etcd.io/etcd/server/v3"
