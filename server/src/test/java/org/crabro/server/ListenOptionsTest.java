package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.TlsSettings;
import org.crabro.server.settings.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ListenOptionsTest {
    private static final String TLS = " --tls-key=k --tls-certificates=c";

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--address=127.0.0.1 --config-address=::1",
                "--address=localhost --config-address=127.1.2.3",
                "--address=0.0.0.0 --insecure",
                "--address=0.0.0.0 --config-address=:: --insecure",
                "--address=0.0.0.0 --config-address=0.0.0.0" + TLS,
                "--config-address=0.0.0.0 --config-tls-key=k --config-tls-certificates=c"
            })
    void acceptsLoopbackTlsOrTheWordOfTheOperator(String options) {
        assertThatCode(() -> parse(options).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "--address=0.0.0.0, --tls-key",
        "--address=::, --tls-key",
        "--address=192.0.2.1, --tls-key",
        "--config-address=0.0.0.0, --config-tls-key",
        "--address=0.0.0.0 --config-tls-key=k --config-tls-certificates=c, --tls-key"
    })
    void refusesOtherAddressesWithoutTls(String options, String named) {
        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> parse(options).check())
                .withMessageStartingWith(options.replaceFirst(" .*", "").replace('=', ' ') + ": ")
                .withMessageEndingWith("give " + named + ", or --insecure to listen nevertheless");
    }

    @Test
    void endsTheProcessBeforeItOpensAnything() {
        Path data = directory.resolve("data");
        var err = new StringWriter();

        int status =
                Crabro.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute("serve", "--data", data.toString(), "--address", "0.0.0.0");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).startsWith("--address 0.0.0.0: ").contains("--insecure");
        assertThat(data).doesNotExist();
    }

    @Test
    void keepsTheConfigPortOnLoopback() {
        HttpSettings container = container(parse("--address=0.0.0.0 --insecure"));
        HttpSettings config = config(parse("--address=0.0.0.0 --insecure"));

        assertThat(container.address()).isEqualTo("0.0.0.0");
        assertThat(config.address()).isEqualTo("127.0.0.1");
        assertThat(config(parse("--config-address=192.0.2.1")).address()).isEqualTo("192.0.2.1");
    }

    @Test
    void givesTheConfigPortFilesOfItsOwn() {
        String own = " --config-tls-key=k2 --config-tls-certificates=c2";
        String authorities = " --config-tls-client-authorities=a2";
        var shared = new TlsSettings(Path.of("k"), Path.of("c"), Optional.empty());

        assertThat(config(parse("")).tls()).isEmpty();
        assertThat(config(parse(TLS)).tls()).hasValue(shared);
        assertThat(container(parse(TLS + own)).tls()).hasValue(shared);
        assertThat(config(parse(TLS + own)).tls())
                .hasValue(new TlsSettings(Path.of("k2"), Path.of("c2"), Optional.empty()));
        assertThat(config(parse(own + authorities)).tls())
                .hasValue(
                        new TlsSettings(Path.of("k2"), Path.of("c2"), Optional.of(Path.of("a2"))));
        assertThat(container(parse(own)).tls()).isEmpty();
    }

    @Test
    void givesBothPortsTheSameRulesForBrowsers() {
        ListenOptions options =
                parse("--host-name=a.example --host-name=b.example --cors-origin=http://c.example");

        assertThat(config(options).browsers()).isEqualTo(container(options).browsers());
        assertThat(config(options).browsers().hostNames())
                .containsExactly("a.example", "b.example");
        assertThat(config(options).browsers().corsOrigins()).containsExactly("http://c.example");
    }

    private static HttpSettings container(ListenOptions options) {
        return options.container(HttpSettings.loopback(0));
    }

    private static HttpSettings config(ListenOptions options) {
        return options.config(container(options));
    }

    private static ListenOptions parse(String options) {
        return CommandLine.populateCommand(
                new ListenOptions(),
                options.isBlank() ? new String[0] : options.strip().split(" "));
    }
}
