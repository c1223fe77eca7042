package org.crabro.container.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceHostsTest {
    /** The hosts of an operator, an address, and the host of the message; empty if it is called. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    none                  | https://api.example.com/v1          | api.example.com
                    none                  | http://127.0.0.1:11434/v1           | 127.0.0.1:11434
                    none                  | http://localhost/v1                 | localhost
                    none                  | http://[::1]:11434/v1               | [::1]:11434
                    *                     | https://any.example.com/v1          |
                    *                     | http://127.0.0.1:11434/v1           |
                    api.example.com       | https://api.example.com/v1          |
                    api.example.com       | http://api.example.com:8080/v1      |
                    API.example.com       | HTTPS://api.EXAMPLE.com/v1          |
                    other,api.example.com | https://api.example.com/v1          |
                    example.com           | https://api.example.com/v1          | api.example.com
                    api.example.com       | https://api.example.com.evil.net/v1 | api.example.com.evil.net
                    api.example.com       | https://example.com/api.example.com | example.com
                    localhost             | http://localhost.evil.net/v1        | localhost.evil.net
                    localhost             | http://127.0.0.1/v1                 | 127.0.0.1
                    localhost:8000        | http://localhost:8000/v1            |
                    localhost:8000        | http://localhost:9000/v1            | localhost:9000
                    localhost:8000        | http://localhost/v1                 | localhost
                    api.example.com:443   | https://api.example.com/v1          |
                    api.example.com:443   | http://api.example.com/v1           | api.example.com
                    api.example.com:80    | http://api.example.com/v1           |
                    [::1]                 | http://[::1]:11434/v1               |
                    [::1]:11434           | http://[::1]:11434/v1               |
                    """)
    void anAddressIsCalledIfItsHostIsAllowed(String hosts, URI address, String refused) {
        Optional<String> refusal = hosts(hosts).refusal(address);

        assertThat(refusal)
                .isEqualTo(
                        Optional.ofNullable(refused)
                                .map(host ->
                                        "this server does not call %1$s; its operator allows it with --services %1$s, or the setting services.hosts"
                                                .formatted(host)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://api.example.com/v1",
                "file:///etc/passwd",
                "//api.example.com/v1",
                "api.example.com",
                "https://user@api.example.com/v1",
                "http:///v1"
            })
    void noOtherAddressIsCalled(URI address) {
        assertThat(ServiceHosts.of(ServiceHosts.ALL).refusal(address))
                .contains("expected http:// or https://, a host, and no user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.example.com",
                "api.example.com/v1",
                "*.example.com",
                "api.example.com:https",
                "me@api.example.com",
                "::1",
                "a b",
                ""
            })
    void rejectsWhatIsNoHost(String host) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceHosts.of("api.example.com", host))
                .withMessage(
                        "expected hosts in the form HOST, HOST:PORT or *, found '%s'"
                                .formatted(host));
    }

    private static ServiceHosts hosts(String text) {
        return new ServiceHosts(text.equals("none") ? List.of() : Arrays.asList(text.split(",")));
    }
}
