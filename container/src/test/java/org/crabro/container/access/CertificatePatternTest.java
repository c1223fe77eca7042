package org.crabro.container.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The certificate has the subject {@code CN=Anna\, B.,OU=People,O=Example} and the names {@code
 * anna@example.com}, {@code anna.example.com}, {@code spiffe://example.com/anna} and {@code
 * 10.0.0.7}.
 */
class CertificatePatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    CN=Anna\\, B.,OU=People,O=Example     | true
                    cn=Anna\\, B., ou=People, o=Example   | true
                    CN=*,OU=People,O=Example              | true
                    CN=Anna*,OU=*,O=Example               | true
                    CN=Anna*                              | false
                    CN=*,O=Example                        | false
                    CN=*,OU=People,O=Other                | false
                    O=Example,OU=People,CN=*              | false
                    OU=*,CN=*,O=*                         | false
                    CN=anna*,OU=People,O=Example          | false
                    email:anna@example.com                | true
                    email:*@example.com                   | true
                    email:*@example.org                   | false
                    email:anna.example.com                | false
                    dns:anna.example.com                  | true
                    dns:*.example.com                     | true
                    dns:example.com                       | false
                    uri:spiffe://example.com/*            | true
                    ip:10.0.0.7                           | true
                    ip:10.0.0.8                           | false
                    """)
    void matchesSubjectsAndAlternativeNames(String pattern, boolean matches) throws Exception {
        assertThat(CertificatePattern.parse(pattern).matches(certificate())).isEqualTo(matches);
    }

    private static X509Certificate certificate() throws IOException, GeneralSecurityException {
        try (InputStream in = CertificatePatternTest.class.getResourceAsStream("anna.pem")) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
