// Package factory replaces external-dns' own: it makes the RFC 2136 provider, whatever --provider says.
package factory

import (
	"context"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/provider/rfc2136"
)

// Select makes the provider.
func Select(ctx context.Context, cfg *externaldns.Config, domains *endpoint.DomainFilter) (provider.Provider, error) {
	return rfc2136.New(ctx, cfg, domains)
}
