package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.crabro.container.http.HttpSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SettingsCommandTest {
    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsEverySettingAndThoseThatDifferAsAssignments() throws IOException {
        Path file = directory.resolve("a.settings");
        Files.writeString(file, "http.connections.max = 12\nsearch.maxHits = 10\n");

        int status = run("settings", "--settings", file.toString(), "--set", "search.maxHits=20");

        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("Default: 10000.\nhttp.connections.max = 12\n")
                .contains("\nsearch.maxHits = 20\n")
                .contains("\n# content.recent.feed.diskShare = 0.8\n");
    }

    @Test
    void readsWhatItPrints() throws IOException {
        run("settings", "--set", "search.maxHits=20");
        Path file = directory.resolve("printed.settings");
        Files.writeString(file, out.toString());
        String before = out.toString();
        out.getBuffer().setLength(0);

        run("settings", "--settings", file.toString());

        assertThat(out.toString()).isEqualTo(before);
    }

    @Test
    void aServerWithAWrongSettingDoesNotStart() {
        Path data = directory.resolve("data");

        int status =
                run("serve", "--data", data.toString(), "--set", "search.maxHit=1", "--set=x=2");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        """
                        --set search.maxHit=1: there is no setting 'search.maxHit'; did you mean 'search.maxHits'?
                        --set x=2: there is no setting 'x'
                        """);
        assertThat(data).doesNotExist();
    }

    @Test
    void aServerWithAWrongHostDoesNotStart() {
        Path data = directory.resolve("data");

        int status =
                run("serve", "--data", data.toString(), "--services", "api.test,https://api.test");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        """
                        --services api.test,https://api.test: services: expected hosts in the form HOST, HOST:PORT or *, found 'https://api.test'
                        """);
        assertThat(data).doesNotExist();
    }

    @Test
    void printsHostsAsAList() {
        run("settings", "--set", "services.hosts=api.test, localhost:8000");

        assertThat(out.toString())
                .contains("Default: none.\nservices.hosts = api.test,localhost:8000\n");
    }

    @Test
    void bothPortsHaveTheSettingsOfHttp() throws IOException {
        var options =
                CommandLine.populateCommand(
                        new SettingsOptions(), "--set=http.connections.idleTimeout=7s");

        ServerSettings settings =
                options.applyTo(ServerSettings.onAnyPorts(directory), Optional.empty());
        HttpSettings config = new ListenOptions().config(settings.container().http());

        assertThat(settings.container().http().connections().idleTimeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(config).isEqualTo(settings.container().http());
    }

    private int run(String... arguments) {
        return Crabro.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
