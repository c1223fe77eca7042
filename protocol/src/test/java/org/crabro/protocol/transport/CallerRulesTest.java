package org.crabro.protocol.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerRulesTest {
    private static final ClusterHosts HOSTS =
            new ClusterHosts(() -> Optional.of(Set.of("c1", "h2", "h3")), Set.of("c1", "10.0.0.1"));

    /** Names of a certificate: who may call which methods, and speak for h2. */
    @ParameterizedTest
    @CsvSource({
        "h2,       true,  false, true,  true",
        "H2,       true,  false, true,  true",
        "h3,       true,  false, true,  false",
        "c1,       true,  true,  true,  false",
        "10.0.0.1, true,  true,  true,  false",
        "x h2,     true,  false, true,  true",
        "x,        false, false, true,  false",
        "h2.x,     false, false, true,  false",
        "h,        false, false, true,  false",
        "'',       false, false, false, false"
    })
    void decideByTheNamesOfTheCertificate(
            String names, boolean member, boolean config, boolean named, boolean speaks) {
        var shown = new CertificateNames(lower(names));

        assertThat(CallerRules.refusal(AllowedCallers.MEMBERS, shown, HOSTS).isEmpty())
                .isEqualTo(member);
        assertThat(CallerRules.refusal(AllowedCallers.CONFIG_SERVERS, shown, HOSTS).isEmpty())
                .isEqualTo(config);
        assertThat(CallerRules.refusal(AllowedCallers.NAMED_HOSTS, shown, HOSTS).isEmpty())
                .isEqualTo(named);
        assertThat(CallerRules.refusal(AllowedCallers.NONE, shown, HOSTS)).isPresent();
        assertThat(CallerRules.refusal(shown, "h2").isEmpty()).isEqualTo(speaks);
        assertThat(CallerRules.refusal(shown, "")).isPresent();
    }

    private static Set<String> lower(String names) {
        return names.isEmpty() ? Set.of() : Set.of(names.toLowerCase(Locale.ROOT).split(" "));
    }

    @ParameterizedTest
    @CsvSource({"::1, 0:0:0:0:0:0:0:1", "2001:DB8::2, 2001:db8:0:0:0:0:0:2"})
    void compareAddressesInTheirFullForm(String given, String named) {
        assertThat(new CertificateNames(Set.of(named)).has(given)).isTrue();
    }
}
