package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fault.FedNotes.Feeding;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real servers on a real file system that loses power, fills up, or becomes read-only while notes
 * are fed. Whatever was acknowledged is there afterwards.
 */
class FailingDiskIT {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Power cuts. */
    private static final int ROUNDS = Integer.getInteger("crabro.rounds", 2);

    private static final long DISK_BYTES = 96L << 20;
    private static final long RESERVED_BYTES = 16L << 20;

    /** Besides the reserve: the server asks how much is free after an eighth of it. */
    private static final long FREE_BYTES = 3L << 20;

    /** Settings for a disk of that size, under which runs are written and merged all the time. */
    private static final List<String> SMALL =
            List.of(
                    "content.recent.recentBytes=512KiB",
                    "content.recent.journal.bytes=4MiB",
                    "content.recent.journal.segmentBytes=1MiB",
                    "content.recent.compaction.fanOut=2",
                    "content.recent.compaction.tiersMax=4",
                    "content.recent.flushWait=1s",
                    "content.recent.feed.diskShare=1",
                    "content.recent.feed.reservedBytes=" + RESERVED_BYTES);

    @TempDir Path directory;

    private final FedNotes notes = new FedNotes(SEED);
    private Ext4Image disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Ext4Image.mounted(directory, DISK_BYTES);
    }

    @AfterEach
    void unmount() throws Exception {
        disk.unmount();
    }

    @Test
    void keepsWhatItAcknowledgedBeforeAPowerCut() throws Exception {
        var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            try (var http = new Http();
                    ServerProcess server = start()) {
                if (round == 0) {
                    FedNotes.deploy(http, server.config());
                } else {
                    notes.check(http, server.container());
                }
                try (Feeding feeding = notes.feed(server.container())) {
                    feeding.await(200, 50 + random.nextInt(200));
                    notes.powerIsCut();
                    disk.cutPower();
                    feeding.await(500, 1);
                    server.kill();
                }
            }
            disk.mountAgain();
        }
        checkAfterRestart();
    }

    @Test
    void keepsWhatItAcknowledgedWhereTheDiskBecomesReadOnly() throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(200, 100);
                disk.makeReadOnly();
                feeding.await(500, 5);
                notes.readSome(http, server.container(), 50);
                assertThat(feeding.answers()).containsOnlyKeys(200, 500);
            }
            server.kill();
        }
        disk.mountAgain();
        checkAfterRestart();
    }

    @Test
    void refusesWritesWhereTheDiskIsFullAndTakesThemAgainWhenItIsNot() throws Exception {
        Path filler = disk.path().resolve("filler");
        Path fillerFile = disk.path().resolve("rest");
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            fill(filler, RESERVED_BYTES + FREE_BYTES);
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(507, 5);
                fill(fillerFile, 0);
                notes.readSome(http, server.container(), 50);
                Files.delete(filler);
                Files.delete(fillerFile);
                feeding.await(200, 50);
                assertThat(feeding.answers()).containsOnlyKeys(200, 507);
            }
            notes.check(http, server.container());
        }
        checkAfterRestart();
    }

    /** Another program takes the space that the server keeps for flushes and merges. */
    @Test
    void keepsWhatItAcknowledgedWhereOthersTakeTheLastByte() throws Exception {
        Path filler = disk.path().resolve("filler");
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(200, 50);
                fill(filler, 0);
                feeding.await(507, 5);
                notes.readSome(http, server.container(), 50);
                server.kill();
            }
        }
        Files.delete(filler);
        checkAfterRestart();
    }

    private void checkAfterRestart() throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            notes.check(http, server.container());
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(200, 20);
            }
            notes.check(http, server.container());
        }
    }

    /** Writes a file that leaves so many bytes free. */
    private static void fill(Path file, long free) throws IOException {
        byte[] block = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (free == 0 || file.toFile().getUsableSpace() > free + block.length) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(disk.path().resolve("data"), SMALL);
    }
}
