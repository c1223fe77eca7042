package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunningServerTest {
    private static final List<URI> ADDRESSES =
            List.of(URI.create("http://127.0.0.1:8080"), URI.create("http://127.0.0.1:19071"));

    @TempDir private Path data;

    @Test
    void readsWhatWasWritten() throws Exception {
        var server = new RunningServer(7, Instant.parse("2026-11-30T10:00:00.01Z"), ADDRESSES);

        assertThat(RunningServer.read(data)).isEmpty();
        server.write(data);
        assertThat(RunningServer.read(data)).contains(server);
        server.remove(data);
        assertThat(RunningServer.read(data)).isEmpty();
    }

    @Test
    void leavesTheFileOfALaterServer() throws Exception {
        var server = new RunningServer(7, Instant.EPOCH, ADDRESSES);
        var later = new RunningServer(8, Instant.EPOCH, ADDRESSES);
        later.write(data);

        server.remove(data);

        assertThat(RunningServer.read(data)).contains(later);
    }

    /** This process runs, and started then, and is no server. */
    @Test
    void returnsNoProcessThatIsNoServer() {
        assertThat(RunningServer.ofThisProcess(ADDRESSES).process()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pid=1",
                "pid=x\nstarted=2026-11-30T10:00:00Z",
                "pid=99999999999999999999\nstarted=2026-11-30T10:00:00Z",
                "pid=1\nstarted=yesterday",
                "pid=1\nstarted=2026-11-30T10:00:00Z\naddress.0=http://a b",
                "pid=\\uZZZZ"
            })
    void rejectsADamagedFile(String text) throws IOException {
        Files.writeString(data.resolve(RunningServer.NAME), text);

        assertThatThrownBy(() -> RunningServer.read(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged");
    }

    @Test
    void rejectsALargeFile() throws IOException {
        Files.writeString(data.resolve(RunningServer.NAME), "x".repeat(10_000));

        assertThatThrownBy(() -> RunningServer.read(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is larger than 4096 bytes");
    }

    @Test
    void returnsNoProcessForAPidThatDoesNotExist() {
        assertThat(new RunningServer(-1, Instant.EPOCH, ADDRESSES).process()).isEmpty();
        assertThat(new RunningServer(Long.MAX_VALUE, Instant.EPOCH, ADDRESSES).process()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080, true",
        "http://127.0.0.1:8080/, true",
        "http://LOCALHOST:8080/search/?query=x, true",
        "http://[::1]:8080, true",
        "http://127.0.0.1:8081, false",
        "https://127.0.0.1:8080, false",
        "http://127.0.0.1, false",
        "http://example.com:8080, false",
        "mailto:ann, false",
    })
    void comparesAddresses(URI address, boolean isOne) {
        var server =
                new RunningServer(7, Instant.EPOCH, List.of(URI.create("http://127.0.0.1:8080")));

        assertThat(server.answersAt(address)).isEqualTo(isOne);
    }

    @ParameterizedTest
    @CsvSource({
        "serve, crabro-data",
        "serve --data, crabro-data",
        "serve --data notes --port 0, notes",
        "serve --data=/var/notes, /var/notes",
        "serve --data a --data b, b",
    })
    void readsTheDirectoryOfACommandLine(String arguments, Path data) {
        assertThat(RunningServers.data(List.of(arguments.split(" ")))).isEqualTo(data);
    }
}
