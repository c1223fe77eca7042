package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Optional;
import org.crabro.protocol.transport.NodeAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSettingsTest {
    private static ClusterSettings of(String host, String configServers) {
        return new ClusterSettings(
                host,
                Arrays.stream(configServers.split(",")).map(ClusterSettings.Named::parse).toList(),
                NodeAddress.LOOPBACK,
                0,
                Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"h1|h1|true", "h2|h1|false", "h3|h1,h2,h3|true", "h4|h1,h2,h3|false"})
    void acceptsOneConfigServerOrThree(String host, String servers, boolean isConfigServer) {
        assertThat(of(host, servers).isConfigServer()).isEqualTo(isConfigServer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "h1,h2|2 config servers are named, expected 1 or 3: one of three may fail, and none of two",
                "h1,h2,h3,h4|4 config servers are named, expected 1 or 3: one of three may fail, and none of two",
                "h1,h2,h1|a config server is named twice",
                "=x:1|'=x:1' is not NAME, NAME:PORT or NAME=HOST:PORT"
            })
    void rejectsOtherLists(String servers, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("h1", servers))
                .withMessage(reason);
    }
}
