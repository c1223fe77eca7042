package org.crabro.container.access;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.crabro.text.Glob;

/**
 * A pattern of the client certificates of a principal: a subject, such as {@code
 * CN=feeder,O=Example}, or a subject alternative name, such as {@code dns:*.example.com}, {@code
 * email:anna@example.com}, {@code uri:spiffe://example.com/*} or {@code ip:10.0.0.7}.
 *
 * <p>A {@code *} matches any text. In a subject it matches text within one attribute: a subject
 * matches if it has the same number of attributes, in the same order, each with the same type and a
 * matching value.
 */
sealed interface CertificatePattern {
    /** Returns whether a certificate has this name. */
    boolean matches(X509Certificate certificate);

    /** Numbers of kinds of subject alternative names in RFC 5280, by their prefix. */
    Map<String, Integer> KINDS = Map.of("email", 1, "dns", 2, "uri", 6, "ip", 7);

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException with the reason, if it is invalid
     */
    static CertificatePattern parse(String text) {
        int colon = text.indexOf(':');
        Optional<Integer> kind =
                colon < 0
                        ? Optional.empty()
                        : Optional.ofNullable(KINDS.get(text.substring(0, colon)));
        if (kind.isPresent()) {
            String name = text.substring(colon + 1).strip();
            if (name.isEmpty()) {
                throw new IllegalArgumentException("expected a name after '" + text + "'");
            }
            return new AlternativeName(kind.get(), Glob.ofStars(name));
        }
        try {
            // In the normal form that is also used for certificates.
            String subject = new X500Principal(text).getName(X500Principal.RFC2253);
            List<Rdn> parts = new LdapName(subject).getRdns();
            if (parts.isEmpty()) {
                throw new IllegalArgumentException("the subject is empty");
            }
            return new Subject(parts.stream().map(Rdn::toString).map(Glob::ofStars).toList());
        } catch (IllegalArgumentException | InvalidNameException e) {
            throw new IllegalArgumentException(
                    "expected a subject such as CN=feeder,O=Example, or dns:, uri:, email: or ip: with a name, but found '%s'"
                            .formatted(text),
                    e);
        }
    }

    /**
     * A subject.
     *
     * @param parts its attributes, each as {@code TYPE=value}, the last first
     */
    record Subject(List<Glob> parts) implements CertificatePattern {
        public Subject {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean matches(X509Certificate certificate) {
            List<Rdn> names;
            try {
                names =
                        new LdapName(
                                        certificate
                                                .getSubjectX500Principal()
                                                .getName(X500Principal.RFC2253))
                                .getRdns();
            } catch (InvalidNameException _) {
                return false;
            }
            if (names.size() != parts.size()) {
                return false;
            }
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).matches(names.get(i).toString())) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * A subject alternative name.
     *
     * @param kind its number in RFC 5280
     */
    record AlternativeName(int kind, Glob name) implements CertificatePattern {
        @Override
        public boolean matches(X509Certificate certificate) {
            try {
                Collection<List<?>> names = certificate.getSubjectAlternativeNames();
                return names != null
                        && names.stream()
                                .anyMatch(each ->
                                        Objects.equals(each.get(0), kind)
                                                && each.get(1) instanceof String text
                                                && name.matches(text));
            } catch (CertificateParsingException _) {
                return false;
            }
        }
    }
}
