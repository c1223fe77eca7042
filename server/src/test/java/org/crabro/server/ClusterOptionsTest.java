package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.crabro.server.cluster.ClusterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ClusterOptionsTest {
    private static final String TLS = " --node-key=k --node-certificates=c --node-authorities=a";

    /** A command with these options alone. */
    @Command(name = "serve")
    private static final class Serve {
        @Mixin private ClusterOptions cluster = new ClusterOptions();
    }

    private static ClusterSettings settings(String options, boolean isInsecure) {
        var command = new Serve();
        CommandLine.ParseResult _ = new CommandLine(command).parseArgs(options.split(" "));
        return command.cluster.settings(isInsecure).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--config-servers=h1=127.0.0.1:1 --host=h2 --node-address=0.0.0.0",
                "--config-servers=h1=127.0.0.1:1 --host=h2 --node-address=192.0.2.1",
                "--config-servers=h1=192.0.2.1:1 --host=h2",
                "--config-servers=192.0.2.1 --host=h2"
            })
    void refusesOtherAddressesThanLoopbackWithoutCertificates(String options) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(options, false))
                .withMessageStartingWith("without certificates, the servers of a cluster use")
                .withMessageEndingWith(
                        "give --node-key, --node-certificates and --node-authorities, or --insecure");

        assertThat(settings(options, true).security().isInsecure()).isTrue();
        assertThat(settings(options + TLS, false).security().tls()).isPresent();
    }

    @Test
    void needsNoCertificatesOnLoopback() {
        ClusterSettings settings = settings("--config-servers=h1=127.0.0.1:1 --host=h1", false);

        assertThat(settings.address()).isEqualTo("127.0.0.1");
        assertThat(settings.security().isInsecure()).isFalse();
    }

    @Test
    void namesThePortsThatTheAccessFileDoesNotCover() {
        assertThat(settings("--config-servers=h1=127.0.0.1:7 --host=h1", false).uncoveredPorts())
                .isEqualTo(
                        List.of(
                                "the access file does not cover port 7 for other servers: without certificates, whoever reaches it has all rights",
                                "the access file does not cover the ports for content nodes and replicas, from 19100 on: without certificates, whoever reaches it has all rights"));
        assertThat(
                        settings("--config-servers=h1=127.0.0.1:7 --host=h2" + TLS, false)
                                .uncoveredPorts())
                .isEqualTo(
                        List.of(
                                "the access file does not cover the ports for content nodes and replicas, from 19100 on: every host of the cluster has all rights there, by its certificate"));
    }
}
