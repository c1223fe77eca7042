package org.crabro.content.node.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.replica.ReplicaFile;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.content.storage.replica.ReplicaList;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.content.storage.replica.ShardRecord;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeSecurity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a replica over a socket. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaExportsTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final String PEER = "h1-0";
    private static final int SHARD = 3;

    @TempDir private Path directory;
    private final List<Source> made = new ArrayList<>();
    private ContentNode node;
    private ReplicaExports exports;
    private ContentServer server;

    /** A replica in memory. */
    private static final class Source implements ReplicaSource {
        private final byte[] bytes = new byte[ReplicaMethods.PART_BYTES * 2 + 77];
        private final ReplicaList list;
        private volatile boolean isClosed;

        Source() {
            new Random(SEED).nextBytes(bytes);
            var crc = new CRC32C();
            crc.update(bytes);
            list =
                    new ReplicaList(
                            ShardRecord.Content.of(2, 9, new byte[] {1, 2}),
                            List.of(3, 11),
                            List.of(
                                    new ReplicaFile(
                                            "partitions/03/1.run",
                                            bytes.length,
                                            (int) crc.getValue())));
        }

        @Override
        public ReplicaList list() {
            return list;
        }

        @Override
        public void read(ReplicaFile file, long offset, ByteBuffer into) {
            into.put(bytes, (int) offset, (int) Math.min(into.remaining(), bytes.length - offset));
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @BeforeEach
    void start() throws IOException {
        node = ContentNode.open(ContentSettings.in(directory.resolve("node")));
        listen(Duration.ofHours(1));
    }

    private void listen(Duration longest) throws IOException {
        exports =
                new ReplicaExports(
                        PEER,
                        shard -> {
                            if (shard != SHARD) {
                                throw new IOException("shard %d is not started".formatted(shard));
                            }
                            made.add(new Source());
                            return made.getLast();
                        },
                        longest);
        server =
                ContentServer.start(
                        new NodeAddress(NodeAddress.LOOPBACK, 0),
                        NodeSecurity.LOOPBACK,
                        new NodeIdentity("test", "0"),
                        new CallLimits(10, 10_000_000),
                        ContentServer.Served.of(node).with(exports));
    }

    @AfterEach
    void stop() {
        server.close();
        exports.close();
        node.close();
        assertThat(made).allMatch(each -> each.isClosed);
    }

    private RemoteReplica open(String peer, String copier, int shard) throws IOException {
        return RemoteReplica.open(
                new RemoteReplica.Ends(server.address(), peer, copier),
                NodeSecurity.LOOPBACK,
                shard);
    }

    @Test
    void aReplicaIsCopied() throws IOException {
        try (var files = new MappedLogFiles(directory.resolve("copy"))) {
            try (RemoteReplica source = open(PEER, "h2-0", SHARD)) {
                assertThat(source.list())
                        .usingRecursiveComparison()
                        .isEqualTo(made.getFirst().list);

                new ReplicaInstallation(files, "shard").stage(source);

                assertThat(exports.count()).isOne();
            }

            try (LogFiles.LogFile copied = files.open("installing/shard/partitions/03/1.run")) {
                ByteBuffer bytes = ByteBuffer.allocate((int) copied.size());
                copied.read(bytes, 0);
                assertThat(bytes.array()).isEqualTo(made.getFirst().bytes);
            }
            assertThat(exports.count()).isZero();
        }
    }

    @Test
    void refusesWhatItDoesNotHave() {
        assertThatIOException()
                .isThrownBy(() -> open(PEER, "h2-0", SHARD + 1))
                .withMessageContaining("shard 4 is not started");
        assertThatIOException()
                .isThrownBy(() -> open("h9-9", "h2-0", SHARD))
                .withMessageContaining("the copier expects data directory h9-9, this is h1-0");
    }

    @Test
    void aCopierThatBeginsAgainReplacesItsExport() throws IOException {
        RemoteReplica first = open(PEER, "h2-0", SHARD);
        RemoteReplica second = open(PEER, "h2-0", SHARD);

        assertThat(exports.count()).isOne();
        assertThat(made.getFirst().isClosed).isTrue();
        ReplicaFile file = first.list().files().getFirst();
        assertThatIOException()
                .isThrownBy(() -> first.read(file, 0, ByteBuffer.allocate(10)))
                .withMessageContaining("the copies are not kept any more");
        second.read(file, 0, ByteBuffer.allocate(10));
        first.close();
        second.close();
    }

    @Test
    void limitsExportsThatAreOpenAtATime() throws IOException {
        List<RemoteReplica> open = new ArrayList<>();
        for (int i = 0; i < ReplicaExports.EXPORTS_MAX; i++) {
            open.add(open(PEER, "h" + i, SHARD));
        }

        assertThatIOException()
                .isThrownBy(() -> open(PEER, "h9", SHARD))
                .withMessageContaining(
                        "8 replicas of the node are being copied, which is the limit");

        open.removeLast().close();
        open.add(open(PEER, "h9", SHARD));
        for (RemoteReplica each : open) {
            each.close();
        }
    }

    @Test
    void anExportEndsAfterItsTime() throws IOException {
        stop();
        node = ContentNode.open(ContentSettings.in(directory.resolve("node")));
        listen(Duration.ofMillis(1));
        RemoteReplica forgotten = open(PEER, "h2-0", SHARD);

        await().until(() -> exports.count() == 0);

        assertThat(made.getLast().isClosed).isTrue();
        forgotten.close();
    }
}
