package org.crabro.container.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.container.secret.Secrets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceRulesTest {
    @ParameterizedTest
    @CsvSource({
        "api.example.com, https://api.example.com/v1, true",
        "API.example.com, https://api.EXAMPLE.com/v1, true",
        "localhost:8000, http://localhost:8000/v1, true",
        "localhost:8000, http://localhost:9000/v1, false",
        "example.com, https://api.example.com/v1, false",
        "api.example.com, https://api.example.com.evil.net/v1, false",
        "api.example.com, ftp://api.example.com/v1, false",
        "api.example.com, https://user@api.example.com/v1, false",
        "other;api.example.com, https://api.example.com/v1, true",
        "*, https://any.example.com/v1, true",
        "*, file:///etc/passwd, false",
        "*, //any.example.com/v1, false",
        "'', https://api.example.com/v1, false",
    })
    void allowsTheHostsOfTheOperator(String hosts, URI endpoint, boolean isAllowed) {
        Set<String> allowed =
                Arrays.stream(hosts.split(";", -1))
                        .filter(host -> !host.isEmpty())
                        .collect(Collectors.toSet());

        assertThat(new ServiceRules(Secrets.NONE, allowed).refusal(endpoint).isEmpty())
                .isEqualTo(isAllowed);
    }
}
