package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.storage.replica.ReplicaFile;
import org.crabro.content.storage.replica.ReplicaList;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.protocol.cluster.NodeReport.Copy;

/** A replica that is being copied: counts its bytes, and keeps a rate. */
final class ReplicaCopy implements ReplicaSource {
    /** The most bytes that a node copies in a second, so that requests have the rest. */
    static final long BYTES_PER_SECOND = 128 << 20;

    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final int from;
    private final Optional<ReplicaSource> source;
    private final long bytesPerSecond;
    private final AtomicLong done = new AtomicLong();
    private final long begunNanos = System.nanoTime();
    private long read;

    private ReplicaCopy(int from, Optional<ReplicaSource> source, long bytesPerSecond) {
        this.from = from;
        this.source = source;
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * @param from the distribution key of the node that has it
     * @param source not closed with this
     */
    ReplicaCopy(int from, ReplicaSource source, long bytesPerSecond) {
        this(from, Optional.of(source), bytesPerSecond);
    }

    /** Returns the copy of a replica whose files are not known yet. */
    static ReplicaCopy begun(int from) {
        return new ReplicaCopy(from, Optional.empty(), BYTES_PER_SECOND);
    }

    /** Returns the progress. */
    Copy report() {
        return new Copy(from, done.get(), source.map(each -> each.list().bytes()).orElse(0L));
    }

    private ReplicaSource opened() {
        return source.orElseThrow(() -> new IllegalStateException("the files are not known yet"));
    }

    @Override
    public ReplicaList list() {
        return opened().list();
    }

    @Override
    public void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException {
        int before = into.position();
        opened().read(file, offset, into);
        done.addAndGet(into.position() - before);
        read += into.position() - before;
        long due = (long) ((double) read * NANOS_PER_SECOND / bytesPerSecond);
        long early = due - (System.nanoTime() - begunNanos);
        if (early > 0) {
            try {
                Thread.sleep(Duration.ofNanos(early));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    @Override
    public void skipped(long bytes) {
        done.addAndGet(bytes);
    }

    @Override
    public void close() {
        // The source outlives the copy.
    }
}
