package org.crabro.content.replication.raft;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.patch.ConfirmingRpc;
import org.crabro.content.storage.replica.ShardRecord;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of Ratis to the listener of a log.
 *
 * <p>The thread with which Ratis applies entries delivers them, and the begin of a term. Ratis
 * holds a lock when it notifies of the end of a term, and appending needs this lock too. So another
 * thread delivers the end.
 */
final class GroupMachine extends BaseStateMachine implements ConfirmingRpc.AnsweredMachine {
    private static final Duration LEAD_PAUSE = Duration.ofMillis(50);

    private final ShardRecord record;
    private final ConsensusLog.Listener listener;
    private final Events events;
    private final Executor executor;
    private final Duration removalWait;

    /** Is open once the other replicas have removed this one, or this was stopped. */
    private final CountDownLatch removal = new CountDownLatch(1);

    /** Held while the listener is called. */
    private final Object delivery = new Object();

    /** Of an entry that is not whole yet. For the thread that applies. */
    private final EntryParts parts = new EntryParts();

    /** The term of the last configuration that was applied. For the thread that applies. */
    private long configurationTerm;

    /** Whether the listener is not called any more. Guarded by the lock of delivery. */
    private boolean isClosed;

    /** The term that the listener leads, 0 for none. Guarded by the lock of delivery. */
    private long ledTerm;

    // Guarded by this.
    private @Nullable Leadership leadership;
    private boolean hasEnded;
    private boolean isAppended;

    /** How many entries Ratis has begun to append. */
    private long appends;

    private final RetainedBytes retained = new RetainedBytes();
    private final List<Reader> readers = new ArrayList<>();

    /** The last entry of a replica that was delivered. */
    private long delivered;

    /** The last entry that was applied, also if it is one of Ratis. */
    private long appliedIndex;

    /** A reader that waits until an entry is applied. */
    private record Reader(long index, ConsensusLog.Reader told) {}

    /** What concerns more than the listener. */
    interface Events {
        /** The log accepts no entries until a restart. */
        void failed(String reason);

        /** The other replicas do not have entries any more that this one needs. */
        void behind();

        /** The other replicas do not count this one as one of theirs. */
        void removed();
    }

    /**
     * @param removalWait {@link RatisTimes#removal}
     */
    GroupMachine(
            ShardRecord record,
            ConsensusLog.Listener listener,
            Events events,
            Executor executor,
            Duration removalWait) {
        this.record = record;
        this.listener = listener;
        this.events = events;
        this.executor = executor;
        this.removalWait = removalWait;
        long forgotten = record.content().map(ShardRecord.Content::index).orElse(-1L);
        this.delivered = Math.max(0, forgotten);
        this.appliedIndex = forgotten;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws java.io.IOException {
        super.initialize(server, group, storage);
        record.content()
                .ifPresent(each ->
                        setLastAppliedTermIndex(TermIndex.valueOf(each.term(), each.index())));
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return record.content()
                .map(each ->
                        new FileListSnapshotInfo(
                                List.of(), TermIndex.valueOf(each.term(), each.index())))
                .orElse(null);
    }

    @Override
    public synchronized ConfirmingRpc.Answers answers(LeaderState state) {
        if (leadership == null || !leadership.isOf(state)) {
            leadership = new Leadership(state);
        }
        return leadership;
    }

    /** Returns the current leadership; empty if this replica never led with others. */
    synchronized Optional<Leadership> leadership() {
        return Optional.ofNullable(leadership);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        ByteString bytes = entry.getStateMachineLogEntry().getLogData();
        synchronized (this) {
            retained.add(entry.getIndex(), bytes.size());
        }
        Optional<byte[]> whole = parts.join(entry.getTerm(), bytes);
        try {
            whole.ifPresent(each ->
                    deliver(() ->
                            listener.committed(
                                    entry.getIndex(), entry.getTerm(), PackedEntry.unpack(each))));
        } catch (RuntimeException | Error e) {
            events.failed("entry %d could not be applied: %s".formatted(entry.getIndex(), e));
            throw e;
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        applied(entry.getIndex(), whole.isPresent());
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void deliver(Runnable event) {
        synchronized (delivery) {
            if (!isClosed) {
                event.run();
            }
        }
    }

    @Override
    public void notifyConfigurationChanged(
            long term, long index, RaftConfigurationProto configuration) {
        configurationTerm = term;
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        applied(index, false);
    }

    private void applied(long index, boolean isDelivered) {
        List<Reader> done = new ArrayList<>();
        long last;
        synchronized (this) {
            appliedIndex = index;
            if (isDelivered) {
                delivered = index;
            }
            last = delivered;
            readers.removeIf(each -> {
                boolean isDone = each.index <= index;
                if (isDone) {
                    done.add(each);
                }
                return isDone;
            });
        }
        done.forEach(each -> each.told.confirmed(last));
    }

    /** Confirms a reader once an entry is applied. */
    void confirm(long index, ConsensusLog.Reader reader) {
        long last;
        synchronized (this) {
            if (appliedIndex < index) {
                readers.add(new Reader(index, reader));
                return;
            }
            last = delivered;
        }
        reader.confirmed(last);
    }

    @Override
    public void notifyLeaderReady() {
        // The entry that begins the term was applied just now.
        long led = configurationTerm;
        deliver(() -> {
            tellEnd();
            ledTerm = led;
            lead();
        });
    }

    /**
     * Notifies the listener that this replica leads. It does so again until the listener has
     * appended the entry that begins the term: while another replica is to take over, the log
     * refuses entries. Called under the lock of delivery.
     */
    private void lead() {
        long led = ledTerm;
        long before = appends();
        listener.leads(led);
        if (appends() == before) {
            executor.execute(() -> {
                LockSupport.parkNanos(LEAD_PAUSE.toNanos());
                deliver(() -> {
                    if (ledTerm == led) {
                        lead();
                    }
                });
            });
        }
    }

    private synchronized long appends() {
        return appends;
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        Optional<Leadership> over;
        synchronized (this) {
            hasEnded = true;
            over = Optional.ofNullable(leadership);
        }
        executor.execute(() -> {
            over.ifPresent(Leadership::end);
            deliver(this::tellEnd);
        });
    }

    /** Notifies the listener of the end of a term, if it was not notified. */
    private void tellEnd() {
        boolean isNews;
        synchronized (this) {
            isNews = hasEnded;
            hasEnded = false;
        }
        if (isNews) {
            ledTerm = 0;
            listener.follows();
        }
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        synchronized (this) {
            isAppended = true;
            appends++;
        }
        return transaction;
    }

    /** Returns whether Ratis has begun to append an entry since the last call. */
    synchronized boolean takeAppended() {
        boolean was = isAppended;
        isAppended = false;
        return was;
    }

    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex first) {
        boolean isBehind;
        synchronized (this) {
            isBehind = first.getIndex() > appliedIndex + 1;
        }
        if (isBehind) {
            executor.execute(events::behind);
        }
        // No snapshot now: the leader sends its entries, or asks again.
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        events.failed("the log could not be written: " + cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean isAll) {
        if (!isAll) {
            events.removed();
            removal.countDown();
        }
    }

    /**
     * Called by Ratis when the group ends, whatever the reason. If the other replicas have removed
     * this one, Ratis says so afterwards.
     */
    @Override
    public void close() {
        executor.execute(() -> {
            try {
                if (!removal.await(removalWait.toMillis(), TimeUnit.MILLISECONDS)) {
                    events.failed("the server of the replica was closed");
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Notes entries of an earlier start that are forgotten and not deleted. */
    synchronized void retained(long index, long bytes) {
        retained.add(index, bytes);
    }

    /** Returns about how many bytes the entries after an index have. */
    synchronized long bytesAfter(long index) {
        return retained.after(index);
    }

    /** Notes that entries were deleted. */
    synchronized void deleted(long index) {
        retained.delete(index);
    }

    /** Ends the calls of the listener. Waits for a call that runs. */
    void stop() {
        synchronized (delivery) {
            isClosed = true;
        }
        removal.countDown();
        leadership().ifPresent(Leadership::end);
        List<Reader> refused;
        synchronized (this) {
            refused = List.copyOf(readers);
            readers.clear();
        }
        refused.forEach(each -> each.told.refused());
    }
}
