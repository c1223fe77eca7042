package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.QuickServer;
import org.crabro.samples.fixture.ServerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose partition has lost its manifest, and the commands that an operator runs then. */
class RebuildManifestIT {
    /** Under these, every few puts lead to a flush. */
    private static final List<String> SMALL =
            List.of(
                    "content.recent.recentBytes=256KiB",
                    "content.recent.journal.bytes=4MiB",
                    "content.recent.journal.segmentBytes=1MiB");

    @TempDir Path directory;

    private final FedNotes notes = new FedNotes(Long.getLong("crabro.seed", 2026));

    @Test
    void startsAgainWithTheRunsOfAPartitionWithoutAManifest() throws Exception {
        Path data = directory.resolve("data");
        try (var http = new Http();
                ServerProcess server = QuickServer.start(data, SMALL)) {
            FedNotes.deploy(http, server.config());
            notes.feed(server.container()).await(200, 120).close();
            notes.check(http, server.container());
        }
        ServerCommand.Result whole = rebuild(data);
        assertThat(whole.status()).as(whole.output()).isZero();
        assertThat(whole.output()).contains("every partition has its manifest");
        Path partition = partitionWithRuns(data);
        for (Path manifest : files(partition, "manifest.*")) {
            Files.delete(manifest);
        }
        String name = "partitions/" + partition.getFileName();

        assertThatIOException()
                .isThrownBy(() -> QuickServer.start(data, SMALL))
                .withMessageContaining(name + "/manifest.1")
                .withMessageContaining("crabro rebuild-manifest");
        ServerCommand.Result told = rebuild(data);
        ServerCommand.Result done = rebuild(data, "--accept-loss");
        ServerCommand.Result after = rebuild(data);

        assertThat(told.status()).as(told.output()).isOne();
        assertThat(told.output()).contains(name, "runs can be read", "No run was changed");
        assertThat(done.status()).as(done.output()).isZero();
        assertThat(done.output()).contains("The manifests were created");
        assertThat(after.status()).as(after.output()).isZero();
        ServerCommand.Result inspected = ServerCommand.run("inspect", data.toString());
        assertThat(inspected.status()).as(inspected.output()).isZero();
        assertThat(inspected.output()).containsPattern("(?m)^lost\\+found: \\d+ files, ");
        try (var http = new Http();
                ServerProcess server = QuickServer.start(data, SMALL)) {
            notes.check(http, server.container());
        }
    }

    private static ServerCommand.Result rebuild(Path data, String... options) throws Exception {
        return ServerCommand.run(
                Stream.concat(Stream.of("rebuild-manifest", data.toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    private static Path partitionWithRuns(Path data) throws IOException {
        for (Path partition : files(data.resolve("content-data/partitions"), "*")) {
            if (!files(partition, "*.run").isEmpty()) {
                return partition;
            }
        }
        throw new AssertionError("no partition was flushed");
    }

    private static List<Path> files(Path directory, String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> matches = Files.newDirectoryStream(directory, glob)) {
            matches.forEach(files::add);
        }
        return files;
    }
}
