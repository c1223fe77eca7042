package org.crabro.protocol.transport;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The hosts that a certificate names: the DNS names and IP addresses among its subject alternative
 * names. A name with a wildcard names no host.
 *
 * @param names in lower case
 */
public record CertificateNames(Set<String> names) {
    private static final int DNS = 2;
    private static final int IP = 7;

    /** Of a certificate that names no host. */
    public static final CertificateNames NONE = new CertificateNames(Set.of());

    public CertificateNames {
        names = Set.copyOf(names);
    }

    /** Returns the names of a certificate, which an authority has signed. */
    public static CertificateNames of(X509Certificate certificate) {
        Set<String> names = new HashSet<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all == null) {
                return NONE;
            }
            for (List<?> each : all) {
                boolean isHost = each.get(0).equals(DNS) || each.get(0).equals(IP);
                if (isHost && each.get(1) instanceof String name && !name.contains("*")) {
                    names.add(canonical(name));
                }
            }
        } catch (CertificateParsingException _) {
            return NONE;
        }
        return new CertificateNames(names);
    }

    /** Returns whether the certificate names a host. */
    public boolean has(String host) {
        return names.contains(canonical(host));
    }

    /** Returns whether the certificate names one of some hosts. */
    public boolean hasAny(Collection<String> hosts) {
        return hosts.stream().anyMatch(this::has);
    }

    /** An IPv6 address has several forms. */
    private static String canonical(String host) {
        if (!host.contains(":")) {
            return host.toLowerCase(Locale.ROOT);
        }
        try {
            return InetAddress.ofLiteral(host).getHostAddress();
        } catch (IllegalArgumentException _) {
            return host;
        }
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "no host" : String.join(", ", new TreeSet<>(names));
    }
}
