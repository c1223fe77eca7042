package org.crabro.content.storage.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.protocol.wire.Deadline;

/**
 * The files of a replica at one moment, as hard links beside its own files, or copies if links are
 * not possible.
 */
public final class ReplicaExport implements ReplicaSource {
    private static final int STEP = 1 << 20;

    private final LogFiles files;
    private final ReplicaList list;
    private final Deadline end;
    private final Runnable whenClosed;

    private ReplicaExport(LogFiles files, ReplicaList list, Deadline end, Runnable whenClosed) {
        this.files = files;
        this.list = list;
        this.end = end;
        this.whenClosed = whenClosed;
    }

    /** Transfers the files of a shard, durably. */
    @FunctionalInterface
    public interface Contents {
        /** Flushes, and transfers runs, manifests and types; returns the partitions. */
        List<Integer> transfer(FileTransfer transfer) throws IOException;
    }

    /**
     * How long an export is kept.
     *
     * @param end from then on it cannot be read
     * @param whenClosed runs once
     */
    public record Lease(Deadline end, Runnable whenClosed) {
        /** The maximum time, so that a reader that vanished holds neither files nor a log. */
        public static final Duration LONGEST = Duration.ofHours(1);
    }

    /**
     * Makes an export.
     *
     * @param from the data directory
     * @param to an empty directory for the links
     * @param record of the shard. It must be read before this is called: then the runs have all
     *     rows up to its index
     * @param lease how long the files are kept
     */
    public static ReplicaExport make(
            LogFiles from, LogFiles to, ShardRecord.Content record, Contents contents, Lease lease)
            throws IOException {
        var transfer = new FileTransfer(from, to, lease.end()::hasPassed);
        List<Integer> partitions = contents.transfer(transfer);
        List<ReplicaFile> listed = new ArrayList<>();
        for (FileTransfer.Brought each : transfer.brought()) {
            listed.add(new ReplicaFile(each.file(), each.bytes(), crc(to, each.file())));
        }
        return new ReplicaExport(
                to, new ReplicaList(record, partitions, listed), lease.end(), lease.whenClosed());
    }

    /** Returns the crc-32c of a file, as it is on the device. */
    static int crc(LogFiles files, String path) throws IOException {
        var crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(STEP);
        try (LogFiles.LogFile file = files.openOnDevice(path)) {
            long size = file.size();
            for (long at = 0; at < size; ) {
                buffer.clear();
                int count = file.read(buffer, at);
                if (count <= 0) {
                    throw new IOException(
                            "%s ended at byte %d, expected %d".formatted(path, at, size));
                }
                crc.update(buffer.flip());
                at += count;
            }
        }
        return (int) crc.getValue();
    }

    @Override
    public ReplicaList list() {
        return list;
    }

    @Override
    public void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException {
        if (end.hasPassed()) {
            throw new IOException("the copies are kept for an hour, which has passed");
        }
        try (LogFiles.LogFile opened = files.open(file.path())) {
            opened.read(into, offset);
        }
    }

    /** Deletes the links. */
    @Override
    public void close() throws IOException {
        whenClosed.run();
        for (ReplicaFile each : list.files()) {
            files.delete(each.path());
        }
    }
}
