package org.crabro.content.replication.raft.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSegmentsTest {
    @Test
    void countsTheFilesWhoseEntriesAreAllForgotten(@TempDir Path directory) throws IOException {
        Path current = Files.createDirectories(directory.resolve("current"));
        Files.write(current.resolve("log_0-9"), new byte[100]);
        Files.write(current.resolve("log_10-19"), new byte[20]);
        Files.write(current.resolve("log_20-29"), new byte[3]);
        Files.write(current.resolve("log_inprogress_30"), new byte[4_000]);
        Files.write(current.resolve("raft-meta"), new byte[50_000]);

        assertThat(LogSegments.bytesUpTo(directory, 8)).isZero();
        assertThat(LogSegments.bytesUpTo(directory, 9)).isEqualTo(100);
        assertThat(LogSegments.bytesUpTo(directory, 28)).isEqualTo(120);
        assertThat(LogSegments.bytesUpTo(directory, 99)).isEqualTo(123);
    }

    @Test
    void aGroupWithoutFilesHasNone(@TempDir Path directory) throws IOException {
        assertThat(LogSegments.bytesUpTo(directory, 9)).isZero();
    }
}
