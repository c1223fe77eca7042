package org.crabro.content.node.wire;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.content.node.wire.ReplicaMethods.Opening;
import org.crabro.content.node.wire.ReplicaMethods.Part;
import org.crabro.content.storage.replica.ReplicaExport;
import org.crabro.content.storage.replica.ReplicaFile;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.grpc.CallerGuard;
import org.crabro.protocol.grpc.GuardedService;
import org.crabro.protocol.transport.AllowedCallers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets other nodes copy the replicas of this one. An export is closed when its reader closes it, or
 * after {@link ReplicaExport.Lease#LONGEST}.
 */
public final class ReplicaExports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaExports.class);

    /** The most exports at a time; others are refused. */
    static final int EXPORTS_MAX = 8;

    /** The most parts that are read at a time; others are refused. */
    private static final int READS_MAX = 16;

    private final String peer;
    private final Replicas replicas;
    private final Duration longest;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore reads = new Semaphore(READS_MAX);
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("replica-export").factory());
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("replica-exports").daemon().factory());

    // Guarded by this.
    private final Map<Long, Export> exports = new HashMap<>();
    private int opening;
    private boolean isClosed;

    /** The replicas of a node. */
    @FunctionalInterface
    public interface Replicas {
        /**
         * Makes copies of the files of a replica.
         *
         * @throws IOException if the node has no such replica
         */
        ReplicaSource export(int shard) throws IOException;
    }

    private record Export(String copier, int shard, ReplicaSource source, List<ReplicaFile> files) {
        void close() {
            try {
                source.close();
            } catch (IOException e) {
                LOG.warn("copies of shard {} could not be deleted", shard, e);
            }
        }
    }

    /**
     * @param peer the name of the data directory; requests for another one are refused
     */
    public ReplicaExports(String peer, Replicas replicas) {
        this(peer, replicas, ReplicaExport.Lease.LONGEST);
    }

    /**
     * @param longest the time after which an export is closed
     */
    ReplicaExports(String peer, Replicas replicas, Duration longest) {
        this.peer = peer;
        this.replicas = replicas;
        this.longest = longest;
    }

    /** Returns the methods for other nodes. */
    GuardedService service() {
        return GuardedService.of(ReplicaMethods.SERVICE)
                .add(
                        ReplicaMethods.OPEN,
                        AllowedCallers.MEMBERS,
                        ServerCalls.asyncUnaryCall((of, to) -> run(() -> open(of), to)))
                .add(
                        ReplicaMethods.READ,
                        AllowedCallers.MEMBERS,
                        ServerCalls.asyncUnaryCall((of, to) -> run(() -> read(of), to)))
                .add(
                        ReplicaMethods.CLOSE,
                        AllowedCallers.MEMBERS,
                        ServerCalls.asyncUnaryCall((of, to) -> run(() -> close(of), to)))
                .build();
    }

    private interface Answer {
        byte[] get() throws IOException;
    }

    private void run(Answer answer, StreamObserver<byte[]> to) {
        threads.execute(
                Context.current()
                        .wrap(() -> {
                            byte[] reply;
                            try {
                                reply = answer.get();
                            } catch (IOException | IllegalArgumentException e) {
                                to.onError(
                                        Status.FAILED_PRECONDITION
                                                .withDescription(e.getMessage())
                                                .asRuntimeException());
                                return;
                            } catch (StatusRuntimeException e) {
                                to.onError(e);
                                return;
                            } catch (RuntimeException e) {
                                LOG.error("a request for copies of a replica failed", e);
                                to.onError(
                                        Status.INTERNAL
                                                .withDescription(e.toString())
                                                .asRuntimeException());
                                return;
                            }
                            to.onNext(reply);
                            to.onCompleted();
                        }));
    }

    private byte[] open(byte[] request) throws IOException {
        Opening asked = Opening.decode(request);
        if (!asked.peer().equals(peer)) {
            throw new IOException(
                    "the copier expects data directory %s, this is %s"
                            .formatted(asked.peer(), peer));
        }
        // It ends earlier exports of the copier.
        CallerGuard.requireSpeaksFor(Replica.hostOf(asked.copier()));
        begin(asked);
        long number = random.nextLong();
        ReplicaSource source;
        try {
            source = replicas.export(asked.shard());
        } finally {
            synchronized (this) {
                opening--;
            }
        }
        byte[] list = source.list().encode();
        boolean isKept = false;
        try {
            if (list.length > ReplicaMethods.MESSAGE_MAX - Long.BYTES) {
                throw new IOException(
                        "the list of %d files is too long".formatted(source.list().files().size()));
            }
            isKept =
                    keep(
                            number,
                            new Export(
                                    asked.copier(), asked.shard(), source, source.list().files()));
        } finally {
            if (!isKept) {
                source.close();
            }
        }
        if (!isKept) {
            throw new IOException("the node is closing");
        }
        return ByteBuffer.allocate(Long.BYTES + list.length).putLong(number).put(list).array();
    }

    /** Takes a place for an export, and closes an earlier one of the same copier. */
    private void begin(Opening asked) {
        List<Export> earlier;
        synchronized (this) {
            earlier =
                    exports.values().stream()
                            .filter(each ->
                                    each.shard == asked.shard()
                                            && each.copier.equals(asked.copier()))
                            .toList();
            exports.values().removeAll(earlier);
            if (exports.size() + opening >= EXPORTS_MAX) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription(
                                "%d replicas of the node are being copied, which is the limit"
                                        .formatted(EXPORTS_MAX))
                        .asRuntimeException();
            }
            opening++;
        }
        earlier.forEach(Export::close);
    }

    private boolean keep(long number, Export export) {
        synchronized (this) {
            if (isClosed) {
                return false;
            }
            exports.put(number, export);
            var _ = clock.schedule(() -> end(number), longest.toMillis(), TimeUnit.MILLISECONDS);
        }
        return true;
    }

    private void end(long number) {
        Export ended;
        synchronized (this) {
            ended = exports.remove(number);
        }
        if (ended != null) {
            ended.close();
        }
    }

    private byte[] read(byte[] request) throws IOException {
        Part part = Part.decode(request);
        Export export;
        synchronized (this) {
            export = exports.get(part.export());
        }
        if (export == null || part.file() >= export.files.size()) {
            throw new IOException("the copies are not kept any more");
        }
        if (!reads.tryAcquire()) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "%d parts of files are being read, which is the limit"
                                    .formatted(READS_MAX))
                    .asRuntimeException();
        }
        try {
            ByteBuffer bytes = ByteBuffer.allocate(part.length());
            export.source.read(export.files.get(part.file()), part.offset(), bytes);
            return bytes.hasRemaining()
                    ? Arrays.copyOf(bytes.array(), bytes.position())
                    : bytes.array();
        } finally {
            reads.release();
        }
    }

    private byte[] close(byte[] request) {
        if (request.length != Long.BYTES) {
            throw new IllegalArgumentException("no number of an export");
        }
        end(ByteBuffer.wrap(request).getLong());
        return new byte[0];
    }

    /** Returns the number of exports. */
    synchronized int count() {
        return exports.size();
    }

    /** Closes all exports. */
    @Override
    public void close() {
        clock.shutdownNow();
        List<Export> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(exports.values());
            exports.clear();
        }
        all.forEach(Export::close);
        threads.shutdown();
    }
}
