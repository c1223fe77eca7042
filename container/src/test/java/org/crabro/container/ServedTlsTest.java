package org.crabro.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.config.component.OwnComponents;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.HttpAccess;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.config.services.ServerTls;
import org.crabro.container.http.TlsSettings;
import org.junit.jupiter.api.Test;

class ServedTlsTest {
    private static final ServerTls OF_PACKAGE =
            new ServerTls(
                    Path.of("/k"),
                    Path.of("/c"),
                    Optional.of(Path.of("/a")),
                    ServerTls.ClientAuthentication.WANT,
                    List.of("S"),
                    List.of("TLSv1.3"));
    private static final TlsSettings SERVED =
            new TlsSettings(
                    Path.of("/k"),
                    Path.of("/c"),
                    Optional.of(Path.of("/a")),
                    TlsSettings.Clients.ASKED,
                    List.of("S"),
                    List.of("TLSv1.3"));
    private static final TlsSettings OF_PROCESS =
            new TlsSettings(Path.of("/p"), Path.of("/q"), Optional.empty());

    private static ContainerCluster cluster(HttpServer... servers) {
        return new ContainerCluster(
                "c",
                Optional.of(SearchApi.DEFAULT),
                Optional.empty(),
                new HttpAccess(List.of(servers)),
                List.of(),
                OwnComponents.NONE);
    }

    private static HttpServer server(int port, Optional<ServerTls> tls) {
        return new HttpServer(OptionalInt.of(port), tls);
    }

    @Test
    void eachPortSpeaksWhatItsServerSays() {
        var served = new ServedTls(Optional.empty(), 8080, false);

        assertThat(
                        served.of(
                                List.of(
                                        cluster(
                                                server(1, Optional.of(OF_PACKAGE)),
                                                server(2, Optional.empty()),
                                                HttpServer.DEFAULT)),
                                List.of(1, 2, 8080)))
                .isEqualTo(
                        Map.of(
                                1, Optional.of(SERVED),
                                2, Optional.empty(),
                                8080, Optional.empty()));
    }

    @Test
    void whatThePackageDoesNotSayTheProcessDoes() {
        var served = new ServedTls(Optional.of(OF_PROCESS), 8080, false);

        assertThat(
                        served.of(
                                List.of(cluster(server(1, Optional.of(OF_PACKAGE)))),
                                List.of(1, 8080)))
                .isEqualTo(Map.of(1, Optional.of(SERVED), 8080, Optional.of(OF_PROCESS)));
    }

    @Test
    void refusesServersThatWouldShareAPortAndDoNotAgree() {
        var served = new ServedTls(Optional.empty(), 9, true);
        List<ContainerCluster> clusters =
                List.of(cluster(server(1, Optional.of(OF_PACKAGE)), server(2, Optional.empty())));

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> served.of(clusters, List.of(9)))
                .withMessageContaining("different ssl settings share port 9");
        assertThat(served.of(List.of(cluster(server(1, Optional.of(OF_PACKAGE)))), List.of(9)))
                .isEqualTo(Map.of(9, Optional.of(SERVED)));
    }
}
