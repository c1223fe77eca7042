package org.crabro.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CertificatesCommandTest {
    @TempDir private Path parent;

    private final StringWriter written = new StringWriter();

    private int run(String... hosts) {
        var command = new CommandLine(new ClusterCommand());
        command.setOut(new PrintWriter(written));
        command.setErr(new PrintWriter(written));
        command.setExecutionExceptionHandler((failure, line, _) -> {
            line.getErr().println(failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        String[] arguments =
                Stream.concat(
                                Stream.of(
                                        "certificates",
                                        "--directory",
                                        parent.resolve("made").toString()),
                                Stream.of(hosts))
                        .toArray(String[]::new);
        return command.execute(arguments);
    }

    private Path file(String name) {
        return parent.resolve("made").resolve(name);
    }

    private X509Certificate certificate(String name) throws Exception {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Files.readAllBytes(file(name))));
    }

    @Test
    void makesAnAuthorityAndACertificateAndAKeyForEachHost() throws Exception {
        assertThat(run("h1", "10.0.0.2")).as(written.toString()).isZero();

        try (Stream<Path> files = Files.list(parent.resolve("made"))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "authority.pem",
                            "authority-key.pem",
                            "h1.pem",
                            "h1-key.pem",
                            "10.0.0.2.pem",
                            "10.0.0.2-key.pem");
        }
        X509Certificate authority = certificate("authority.pem");
        assertThat(authority.getBasicConstraints()).isZero();
        for (String host : List.of("h1", "10.0.0.2")) {
            X509Certificate made = certificate(host + ".pem");
            made.verify(authority.getPublicKey());
            made.checkValidity();
            assertThat(made.getBasicConstraints()).isEqualTo(-1);
            assertThat(((ECPublicKey) made.getPublicKey()).getParams().getOrder().bitLength())
                    .isEqualTo(256);
            assertThat(made.getExtendedKeyUsage())
                    .as("server and client")
                    .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        }
        assertThat(certificate("h1.pem").getSubjectAlternativeNames())
                .containsExactly(List.of(2, "h1"));
        assertThat(certificate("10.0.0.2.pem").getSubjectAlternativeNames())
                .containsExactly(List.of(7, "10.0.0.2"));
    }

    @Test
    void letsOnlyTheOwnerReadTheFiles() throws Exception {
        assertThat(run("h1")).isZero();

        assertThat(Files.getPosixFilePermissions(parent.resolve("made")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        for (String name : List.of("authority.pem", "authority-key.pem", "h1.pem", "h1-key.pem")) {
            assertThat(Files.getPosixFilePermissions(file(name)))
                    .as(name)
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void overwritesNoFile() throws Exception {
        assertThat(run("h1", "h2")).isZero();
        byte[] before = Files.readAllBytes(file("h2-key.pem"));

        assertThat(run("h3", "h2")).isEqualTo(1);

        assertThat(written.toString())
                .contains(file("h2.pem") + ": it exists and is not overwritten");
        assertThat(Files.readAllBytes(file("h2-key.pem"))).isEqualTo(before);
        assertThat(file("h3.pem")).doesNotExist();
    }

    @Test
    void signsFurtherHostsWithTheSameAuthority() throws Exception {
        assertThat(run("h1")).isZero();
        X509Certificate authority = certificate("authority.pem");

        assertThat(run("h2")).as(written.toString()).isZero();

        assertThat(certificate("authority.pem")).isEqualTo(authority);
        certificate("h2.pem").verify(authority.getPublicKey());
        Files.delete(file("authority-key.pem"));
        assertThat(run("h3")).isEqualTo(1);
        assertThat(written.toString()).contains("authority-key.pem' is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../h1", "h/1", "", "h 1", "-h", "h_1"})
    void refusesWhatIsNoNameOfAHost(String host) {
        assertThat(run("--", host)).isNotZero();
        assertThat(parent.resolve("made")).doesNotExist();
    }

    @Test
    void refusesAHostThatIsGivenTwice() {
        assertThat(run("h1", "h1")).isEqualTo(1);
        assertThat(written.toString()).contains("host 'h1' is given twice");
    }
}
