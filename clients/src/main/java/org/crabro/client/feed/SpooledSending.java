package org.crabro.client.feed;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.client.spool.Spool;
import org.crabro.document.DocumentId;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations that are in a spool, and removes those that are done. If one stays in the spool,
 * no later one on its document is sent by this process. Thread-safe.
 */
final class SpooledSending implements AutoCloseable {
    /**
     * The statuses that end an operation: it was carried out, or would be refused each time. All
     * others, such as those for a missing permission, may change, so the operation stays.
     */
    private static final Set<Integer> FINAL = Set.of(200, 400, 412, 413);

    private final Spool spool;
    private final OperationSender sender;

    /** Documents with an operation that stays in the spool. */
    private final Set<DocumentId> held = ConcurrentHashMap.newKeySet();

    /** The first failure of the spool itself. */
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    /** The order of the spool is that of the sender. */
    private final ReentrantLock order = new ReentrantLock();

    SpooledSending(Spool spool, OperationSender sender) {
        this.spool = spool;
        this.sender = sender;
    }

    /** Sends what an earlier process left. */
    void sendLeft(FeedStatistics statistics) throws IOException, InterruptedException {
        order.lockInterruptibly();
        try {
            for (Optional<Spool.Left> next = spool.nextLeft();
                    next.isPresent();
                    next = spool.nextLeft()) {
                FeedOperation operation =
                        SpooledOperation.decode(next.get().document(), next.get().content());
                var _ =
                        FeedClient.counted(
                                send(operation, next.get().place(), statistics),
                                operation.id() + ": ",
                                statistics);
            }
        } finally {
            order.unlock();
        }
    }

    /**
     * Accepts an operation, and sends it.
     *
     * @return fails with an {@link IOException} of the spool if the operation was not accepted
     */
    CompletableFuture<OperationOutcome> send(FeedOperation operation, FeedStatistics statistics)
            throws InterruptedException {
        order.lockInterruptibly();
        try {
            IOException broken = failure.get();
            if (broken != null) {
                throw broken;
            }
            Spool.Place place =
                    spool.append(operation.id().toString(), SpooledOperation.encode(operation));
            return send(operation, place, statistics);
        } catch (IOException e) {
            statistics.begun();
            return CompletableFuture.failedFuture(e);
        } finally {
            order.unlock();
        }
    }

    private CompletableFuture<OperationOutcome> send(
            FeedOperation operation, Spool.Place place, FeedStatistics statistics)
            throws InterruptedException {
        boolean isSent = false;
        try {
            CompletableFuture<OperationOutcome> outcome =
                    sender.send(operation, statistics, new Turn(operation.id(), place));
            isSent = true;
            return outcome;
        } finally {
            if (!isSent) {
                held.add(operation.id());
            }
        }
    }

    /** Returns what was remarkable about the files of the spool. */
    List<String> notices() {
        return spool.notices();
    }

    /** Returns how many operations are in the spool. */
    long waiting() {
        return spool.waiting();
    }

    /**
     * Closes the spool, after the sender.
     *
     * @throws IOException if the spool failed at some time
     */
    @Override
    public void close() throws IOException {
        spool.close();
        IOException broken = failure.get();
        if (broken != null) {
            throw broken;
        }
    }

    private final class Turn implements OperationTurn {
        private final DocumentId id;
        private final Spool.Place place;

        Turn(DocumentId id, Spool.Place place) {
            this.id = id;
            this.place = place;
        }

        @Override
        public boolean mayBegin() {
            return !held.contains(id);
        }

        @Override
        public void ended(Optional<OperationOutcome> outcome) {
            if (outcome.filter(earlier -> FINAL.contains(earlier.status())).isEmpty()) {
                held.add(id);
                return;
            }
            try {
                spool.done(place);
            } catch (IOException e) {
                failure.compareAndSet(null, e);
            }
        }
    }
}
