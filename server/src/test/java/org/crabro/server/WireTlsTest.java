package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.TlsFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Mutual TLS between containers and content nodes, with the certificates of {@code crabro cluster}.
 */
class WireTlsTest {
    private static final String HERE = "127.0.0.1";
    private static final WriteReply ANSWER = new WriteReply.Missing();

    @TempDir private Path directory;

    /** Makes an authority and a certificate of a host. */
    private TlsFiles certificates(String name, String host) {
        Path made = directory.resolve(name);
        int status =
                new CommandLine(new ClusterCommand())
                        .execute("certificates", host, "--directory", made.toString());
        assertThat(status).isZero();
        return files(made, host);
    }

    private static TlsFiles files(Path directory, String host) {
        return new TlsFiles(
                directory.resolve(host + "-key.pem"),
                directory.resolve(host + ".pem"),
                directory.resolve("authority.pem"));
    }

    private static ContentServer start(Optional<TlsFiles> tls) throws IOException {
        return ContentServer.start(
                WiredNode.ANY_PORT, tls, WiredNode.IDENTITY, WiredNode.LIMITS, new ScriptedNode());
    }

    private static WriteReply ask(ContentServer server, Optional<TlsFiles> tls) {
        return ask(server.address(), new NodeConnections(tls, WiredNode.LIMITS));
    }

    private static WriteReply ask(NodeAddress address, NodeConnections connections) {
        try (NodeClient client = connections.connect(address, WiredNode.IDENTITY)) {
            return WiredNode.remove(client, WiredNode.soon());
        }
    }

    @Test
    void acceptsPeersOfTheSameAuthority() throws Exception {
        TlsFiles tls = certificates("one", HERE);

        try (ContentServer server = start(Optional.of(tls))) {
            assertThat(ask(server, Optional.of(tls))).isEqualTo(ANSWER);
        }
    }

    @Test
    void refusesPeersOfAnotherAuthorityAndThoseWithoutTls() throws Exception {
        TlsFiles tls = certificates("one", HERE);
        TlsFiles other = certificates("other", HERE);
        var trusting = new TlsFiles(other.privateKey(), other.certificates(), tls.authorities());

        try (ContentServer server = start(Optional.of(tls))) {
            assertThat(ask(server, Optional.of(other)))
                    .as("a client that does not trust the node")
                    .isInstanceOf(WriteReply.Unavailable.class);
            assertThat(ask(server, Optional.of(trusting)))
                    .as("a client that the node does not trust")
                    .isInstanceOf(WriteReply.Unavailable.class);
            assertThat(ask(server, Optional.empty()))
                    .as("a client without TLS")
                    .isInstanceOf(WriteReply.Unavailable.class);
        }
        try (ContentServer server = start(Optional.empty())) {
            assertThat(ask(server, Optional.of(tls)))
                    .as("a node without TLS")
                    .isInstanceOf(WriteReply.Unavailable.class);
        }
    }

    @Test
    void refusesANodeWithTheCertificateOfAnotherHost() throws Exception {
        TlsFiles tls = certificates("one", "elsewhere.example");

        try (ContentServer server = start(Optional.of(tls))) {
            assertThat(ask(server, Optional.of(tls))).isInstanceOf(WriteReply.Unavailable.class);
        }
    }

    @Test
    void usesReplacedFilesWithoutARestart() throws Exception {
        TlsFiles used = certificates("used", HERE);
        TlsFiles next = certificates("next", HERE);
        var connections = new NodeConnections(Optional.of(used), WiredNode.LIMITS);

        try (ContentServer server = start(Optional.of(used))) {
            assertThat(ask(server.address(), connections)).isEqualTo(ANSWER);
            Files.writeString(used.privateKey(), "half a file");
            assertThat(ask(server.address(), connections))
                    .as("while the files do not fit, the earlier ones count")
                    .isEqualTo(ANSWER);
            assertThat(ask(server, Optional.of(next))).isInstanceOf(WriteReply.Unavailable.class);
            replace(next.privateKey(), used.privateKey());
            replace(next.certificates(), used.certificates());
            replace(next.authorities(), used.authorities());

            assertThat(ask(server, Optional.of(next))).isEqualTo(ANSWER);
            assertThat(ask(server.address(), connections)).isEqualTo(ANSWER);
        }
    }

    private static void replace(Path with, Path file) throws IOException {
        Path copy = file.resolveSibling("copy.pem");
        Files.copy(with, copy);
        Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void namesFilesThatAreInvalid() throws Exception {
        TlsFiles tls = certificates("one", HERE);
        TlsFiles other = certificates("other", HERE);
        var mixed = new TlsFiles(tls.privateKey(), other.certificates(), tls.authorities());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(Optional.of(mixed)))
                .withMessageContaining(tls.privateKey().toString())
                .withMessageContaining("the key is not that of the certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        start(
                                Optional.of(
                                        new TlsFiles(
                                                tls.privateKey(),
                                                tls.certificates(),
                                                tls.privateKey()))))
                .withMessageContaining(tls.privateKey().toString());
    }
}
