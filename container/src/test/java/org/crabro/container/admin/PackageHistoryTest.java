package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.console.ConsoleEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageHistoryTest {
    @TempDir Path directory;

    private PackageHistory open() throws IOException {
        return PackageHistory.open(
                directory.resolve("history"), () -> Instant.parse("2026-11-25T12:00:00Z"));
    }

    @Test
    void survivesARestart() throws IOException {
        PackageHistory history = open();
        history.activated(3, ApplicationName.DEFAULT);
        history.removed(3, ApplicationName.DEFAULT);

        assertThat(open().newestFirst())
                .isEqualTo(history.newestFirst())
                .extracting(ConsoleEvent::kind)
                .containsExactly("removed", "activated");
    }

    @Test
    void keepsTheLastEvents() throws IOException {
        PackageHistory history = open();
        for (int generation = 1; generation <= PackageHistory.EVENTS_MAX + 2; generation++) {
            history.activated(generation, ApplicationName.DEFAULT);
        }

        assertThat(open().newestFirst())
                .hasSize(PackageHistory.EVENTS_MAX)
                .extracting(ConsoleEvent::generation)
                .startsWith(102L, 101L)
                .endsWith(3L);
    }

    @Test
    void leavesOutLinesThatCannotBeRead() throws IOException {
        Files.writeString(
                directory.resolve("history"),
                """
                yesterday activated 1 a.b.c
                2026-11-25T12:00:00Z activated x a.b.c
                2026-11-25T12:00:00Z activated
                2026-11-25T12:00:00Z activated 5 a.b.c
                """);

        assertThat(open().newestFirst())
                .containsExactly(
                        new ConsoleEvent(
                                Instant.parse("2026-11-25T12:00:00Z"), "activated", 5, "a.b.c"));
    }
}
