package org.crabro.perf.feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.content.node.wire.RemoteReplica;
import org.crabro.content.node.wire.ReplicaExports;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.replica.ReplicaExport;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.content.storage.replica.ShardRecord;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.wire.Deadline;

/**
 * Copies the files of a replica over a socket of the loopback address: hard links and checksums on
 * one side, forced files and checksums on the other. The rate of a node is not limited here.
 */
public final class CopyBenchmark implements Benchmark {
    private static final int FILES = Scale.of(16);
    private static final int FILE_BYTES = 64 << 20;
    private static final int STEP = 1 << 20;
    private static final String PEER = "source";

    @Override
    public String name() {
        return "copy";
    }

    @Override
    public String summary() {
        return "the files of a replica, copied to another node over a socket";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        var files = new MappedLogFiles(Files.createDirectory(folder.resolve("source")));
        for (int i = 0; i < FILES; i++) {
            write(files, path(i), new Random(i));
        }
        ContentNode node = ContentNode.open(ContentSettings.in(folder.resolve("node")));
        var exports = new ReplicaExports(PEER, _ -> export(files, folder));
        ContentServer server =
                ContentServer.start(
                        new NodeAddress(NodeAddress.LOOPBACK, 0),
                        NodeSecurity.LOOPBACK,
                        new NodeIdentity("perf", "node"),
                        CallLimits.ofHeap(Runtime.getRuntime().maxMemory()),
                        ContentServer.Served.of(node).with(exports));
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                Path to = Files.createTempDirectory(folder, "copy");
                try (var copies = new MappedLogFiles(to)) {
                    CopyBenchmark.measure(server.address(), copies, figures);
                    for (int i = 0; i < FILES; i++) {
                        copies.delete("installing/shard/" + path(i));
                    }
                }
            }

            @Override
            public void close() throws IOException {
                server.close();
                exports.close();
                node.close();
                files.close();
            }
        };
    }

    private static String path(int number) {
        return "partitions/00/%d.run".formatted(number);
    }

    private static void write(LogFiles files, String path, Random random) throws IOException {
        var bytes = new byte[STEP];
        try (LogFiles.LogFile file = files.create(path)) {
            for (long at = 0; at < FILE_BYTES; at += STEP) {
                random.nextBytes(bytes);
                file.write(ByteBuffer.wrap(bytes), at);
            }
            file.force();
        }
    }

    private static ReplicaExport export(LogFiles files, Path folder) throws IOException {
        return ReplicaExport.make(
                files,
                new MappedLogFiles(Files.createTempDirectory(folder, "links")),
                ShardRecord.Content.of(1, 1, new byte[0]),
                transfer -> {
                    for (int i = 0; i < FILES; i++) {
                        transfer.bring(path(i));
                    }
                    return List.of(0);
                },
                new ReplicaExport.Lease(Deadline.after(Duration.ofHours(1)), () -> {}));
    }

    private static void measure(NodeAddress address, LogFiles to, Figures figures)
            throws IOException {
        long begin = System.nanoTime();
        long opened;
        try (RemoteReplica source =
                RemoteReplica.open(
                        new RemoteReplica.Ends(address, PEER, "target"),
                        NodeSecurity.LOOPBACK,
                        0)) {
            opened = System.nanoTime();
            new ReplicaInstallation(to, "shard").stage(source);
        }
        double seconds = (System.nanoTime() - opened) / 1e9;
        double megabytes = (double) FILES * FILE_BYTES / 1e6;
        figures.add("size", "MB", megabytes);
        figures.add("links and checksums of the source", "s", (opened - begin) / 1e9);
        figures.add("copying", "MB/s", megabytes / seconds);
    }
}
