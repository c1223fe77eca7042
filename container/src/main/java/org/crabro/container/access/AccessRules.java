package org.crabro.container.access;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.protocol.wire.Principal;

/**
 * The contents of an access file. Immutable.
 *
 * @param anonymous the entry of requests without credentials
 * @param tokens entries by the hashes of their tokens
 * @param certificates patterns with their entries; the first match counts
 * @param rates by the names of their principals
 * @param names of all principals
 */
record AccessRules(
        AccessEntry anonymous,
        Map<TokenHash, AccessEntry> tokens,
        List<CertificateRule> certificates,
        Map<String, RequestRate> rates,
        Set<String> names) {
    /** Rules of a process without an access file: every request has all rights. */
    static final AccessRules NONE =
            new AccessRules(
                    new AccessEntry(Principal.EVERYONE, Optional.empty()),
                    Map.of(),
                    List.of(),
                    Map.of(),
                    Set.of());

    AccessRules {
        tokens = Map.copyOf(tokens);
        certificates = List.copyOf(certificates);
        rates = Map.copyOf(rates);
        names = Set.copyOf(names);
    }

    /** A certificate pattern and its principal. */
    record CertificateRule(CertificatePattern pattern, AccessEntry entry) {}

    Optional<AccessEntry> ofToken(String token) {
        return Optional.ofNullable(tokens.get(TokenHash.of(token)));
    }

    Optional<AccessEntry> ofCertificate(X509Certificate certificate) {
        return certificates.stream()
                .filter(rule -> rule.pattern().matches(certificate))
                .map(CertificateRule::entry)
                .findFirst();
    }
}
