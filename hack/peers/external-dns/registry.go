// Package factory replaces external-dns' own: it makes the TXT registry, whatever --registry says.
package factory

import (
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/registry"
	"sigs.k8s.io/external-dns/registry/txt"
)

// Select makes the registry.
func Select(cfg *externaldns.Config, p provider.Provider) (registry.Registry, error) {
	return txt.New(cfg, p)
}
