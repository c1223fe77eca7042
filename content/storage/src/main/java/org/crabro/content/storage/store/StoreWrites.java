package org.crabro.content.storage.store;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.crabro.content.storage.admission.WriteLock;
import org.crabro.content.storage.admission.WriteLocks;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.commit.RowGroup;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;

/**
 * Writes rows through the journal. Each write goes through the same steps, and ends with the reply
 * of the first that fails:
 *
 * <ol>
 *   <li>{@link WriteLimits}: the row is not too large, and disk and group have room for it.
 *   <li>{@link RecentBudget}: memory has room, after {@link OverloadSettings#flushWait} at most.
 *   <li>{@link WriteLocks}: no other write of the document or its group is in the way.
 *   <li>{@link Partition#propose}: the queue of the journal has room. The journal releases the lock
 *       when the rows are applied, or will never be.
 *   <li>{@link Proposal#await}: the rows are durable and visible.
 * </ol>
 */
final class StoreWrites {
    private static final byte[] NO_ROW = {};

    private final List<Partition> partitions;
    private final Shards shards;
    private final RecentBudget budget;
    private final WriteLimits limits;
    private final RecentSettings settings;
    private final LongFunction<Optional<DocumentType>> types;
    private final WriteLocks locks = new WriteLocks();
    private final LongAdder stored = new LongAdder();

    StoreWrites(
            List<Partition> partitions,
            Shards shards,
            RecentBudget budget,
            WriteLimits limits,
            RecentSettings settings,
            LongFunction<Optional<DocumentType>> types) {
        this.partitions = partitions;
        this.shards = shards;
        this.budget = budget;
        this.limits = limits;
        this.settings = settings;
        this.types = types;
    }

    /** Returns how many rows were written and applied. */
    long stored() {
        return stored.sum();
    }

    /** See {@link DocumentStore#write(Write.Row, Optional, Deadline)}. */
    WriteReply write(Write.Row row, Optional<OperationId> operation, Deadline deadline) {
        Optional<WriteReply> refusal = refusal(row);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        try (var entry = new Entry(locks.shared(row.id()), deadline)) {
            return entry.propose(proposal(row.partition(), row.bytes(), operation));
        }
    }

    /** See {@link DocumentStore#write(int, DocumentId, boolean, RowMaking, Optional, Deadline)}. */
    WriteReply write(
            int partition,
            DocumentId id,
            boolean mayGrow,
            RowMaking making,
            Optional<OperationId> operation,
            Deadline deadline)
            throws TimeoutException, InterruptedException {
        Optional<WriteReply> refusal = limits.refusal(0, mayGrow);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        try (var entry = new Entry(locks.exclusive(id), deadline)) {
            if (!entry.isAdmitted()) {
                return entry.refusal(mayGrow);
            }
            Journal journal = shards.journal(partition);
            // The row is made of what is read in this term.
            long term = journal.term();
            Optional<Outcome> before = operation.flatMap(journal::outcome);
            if (before.isPresent()) {
                WriteReply reply = reply(before.get(), partition, NO_ROW, 0);
                return before.get() instanceof Outcome.Forgotten
                        ? confirmed(reply, partition, term, deadline)
                        : reply;
            }
            RowMaking.Made made = making.make();
            if (!journal.equals(shards.journal(partition))) {
                // What was read may be another replica.
                return new WriteReply.WrongOwner(0);
            }
            return made.reply()
                    .map(reply -> confirmed(reply, partition, term, deadline))
                    .or(() -> refusal(partition, id, made.row(), made.mayGrow()))
                    .orElseGet(() ->
                            entry.propose(
                                    new RowProposal(
                                            term,
                                            partition,
                                            List.of(made.row()),
                                            operation.stream().toList())));
        }
    }

    /**
     * Returns a reply that follows from what was read in a term, if no other replica accepted rows
     * before. A row that was made of outdated reads is not applied. Such a reply has no row, so
     * this checks it. What was read without a term may be outdated, also if this replica leads by
     * now and has not begun its term.
     */
    private WriteReply confirmed(WriteReply reply, int partition, long term, Deadline deadline) {
        if (term == Journal.NO_TERM) {
            return reply(new Outcome.NotWritten(), partition, NO_ROW, 0);
        }
        Journal journal = shards.journal(partition);
        Outcome current = journal.current().await(deadline);
        if (!(current instanceof Outcome.Applied)) {
            return reply(current, partition, NO_ROW, 0);
        }
        return journal.term() == term
                ? reply
                : reply(new Outcome.NotWritten(), partition, NO_ROW, 0);
    }

    /** See {@link DocumentStore#removeGroup}. */
    WriteReply removeGroup(
            int partition,
            DocumentType type,
            LocationKey group,
            Optional<OperationId> operation,
            Deadline deadline) {
        byte[] row = RowEncoding.groupTombstone(type, group);
        Optional<WriteReply> refusal = limits.refusal(row.length, false);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        try (var entry = new Entry(locks.exclusive(type.name(), group), deadline)) {
            WriteReply reply = entry.propose(proposal(partition, row, operation));
            if (entry.isProposed()) {
                limits.groupRemoved(type.name(), group);
            }
            return reply;
        }
    }

    /** See {@link DocumentStore#write(List, List, Deadline)}. */
    List<WriteReply> write(List<Write.Row> rows, List<OperationId> operations, Deadline deadline) {
        var replies = new WriteReply[rows.size()];
        var ids = new ArrayList<DocumentId>(replies.length);
        int[] withinLimits = new int[replies.length];
        for (int i = 0; i < replies.length; i++) {
            Optional<WriteReply> refusal = refusal(rows.get(i));
            if (refusal.isPresent()) {
                replies[i] = refusal.get();
            } else {
                withinLimits[ids.size()] = i;
                ids.add(rows.get(i).id());
            }
        }
        List<RowGroup> groups = RowGroup.of(rows, Arrays.copyOf(withinLimits, ids.size()));
        try (var entry = new Entry(locks.shared(ids), deadline)) {
            entry.propose(groups, operations, replies);
        }
        return List.of(replies);
    }

    /** Returns the proposal of a row that does not depend on what is stored. */
    private RowProposal proposal(int partition, byte[] row, Optional<OperationId> operation) {
        return new RowProposal(
                shards.journal(partition).term(),
                partition,
                List.of(row),
                operation.stream().toList());
    }

    private Optional<WriteReply> refusal(Write.Row row) {
        byte[] bytes = row.bytes();
        return refusal(row.partition(), row.id(), bytes, mayGrow(bytes));
    }

    private Optional<WriteReply> refusal(
            int partition, DocumentId id, byte[] row, boolean mayGrow) {
        Optional<WriteReply> refusal =
                limits.refusal(partitions.get(partition), id, row.length, mayGrow);
        return refusal.isPresent() || isTombstone(row)
                ? refusal
                : types.apply(RowEncoding.fingerprint(MemorySegment.ofArray(row)))
                        .flatMap(type -> limits.refusal(id, row, type));
    }

    /** Returns whether a row is refused if the disk is too full for documents. */
    private static boolean mayGrow(byte[] row) {
        return !isTombstone(row);
    }

    private static boolean isTombstone(byte[] row) {
        MemorySegment bytes = MemorySegment.ofArray(row);
        return RowEncoding.isTombstone(bytes) || RowEncoding.isGroupTombstone(bytes);
    }

    /**
     * A write that has waited for room in memory and for its lock. When it is closed, the lock is
     * released, unless rows were proposed: then the journal releases it.
     */
    private final class Entry implements AutoCloseable {
        private final WriteLock lock;
        private final Deadline deadline;
        private State state;

        private enum State {
            NO_ROOM,
            NO_LOCK,
            ADMITTED,
            PROPOSED
        }

        Entry(WriteLock lock, Deadline deadline) {
            this.lock = lock;
            this.deadline = deadline;
            if (!budget.awaitRoom(shorter(deadline.remaining(), settings.overload().flushWait()))) {
                state = State.NO_ROOM;
            } else {
                state = lock.acquire(deadline) ? State.ADMITTED : State.NO_LOCK;
            }
        }

        boolean isAdmitted() {
            return state == State.ADMITTED;
        }

        boolean isProposed() {
            return state == State.PROPOSED;
        }

        /** Returns the reply to a row that was not proposed. */
        WriteReply refusal(boolean mayGrow) {
            return state == State.NO_LOCK ? new WriteReply.TimedOut() : overloaded(mayGrow);
        }

        /** Proposes a row, and waits for its outcome. */
        WriteReply propose(RowProposal proposed) {
            int partition = proposed.partition();
            byte[] row = proposed.rows().getFirst();
            if (!isAdmitted()) {
                return refusal(mayGrow(row));
            }
            Optional<Proposal> proposal =
                    partitions
                            .get(partition)
                            .propose(shards.journal(partition), proposed, lock::release);
            if (proposal.isEmpty()) {
                return refusal(mayGrow(row));
            }
            state = State.PROPOSED;
            Outcome outcome = proposal.get().await(deadline);
            count(outcome, 1);
            return reply(outcome, partition, row, 0);
        }

        /** Proposes groups of rows together, and waits for the outcome of each. */
        void propose(List<RowGroup> groups, List<OperationId> operations, WriteReply[] replies) {
            List<Optional<Proposal>> proposals =
                    isAdmitted() ? proposals(groups, operations) : List.of();
            // They are applied in their order: a wait for the last one first wakes once.
            for (int i = groups.size() - 1; i >= 0; i--) {
                RowGroup group = groups.get(i);
                Optional<Outcome> outcome =
                        proposals.isEmpty()
                                ? Optional.empty()
                                : proposals.get(i).map(proposal -> proposal.await(deadline));
                outcome.ifPresent(of -> count(of, group.rows().size()));
                for (int row = 0; row < group.rows().size(); row++) {
                    byte[] bytes = group.rows().get(row);
                    replies[group.index(row)] =
                            outcome.isEmpty()
                                    ? refusal(mayGrow(bytes))
                                    : reply(outcome.get(), group.partition(), bytes, row);
                }
            }
        }

        /** Returns a proposal for each group; an empty element if the queue has no room. */
        private List<Optional<Proposal>> proposals(
                List<RowGroup> groups, List<OperationId> operations) {
            // One more than there are groups, for the time in which they are proposed.
            var left = new AtomicInteger(groups.size() + 1);
            Runnable whenOneIsDone =
                    () -> {
                        if (left.decrementAndGet() == 0) {
                            lock.release();
                        }
                    };
            state = State.PROPOSED;
            List<Optional<Proposal>> proposals =
                    new ArrayList<>(Collections.nCopies(groups.size(), Optional.empty()));
            for (Shard shard : shards.all()) {
                boolean _ =
                        shard.journal()
                                .together(() ->
                                        propose(
                                                shard,
                                                groups,
                                                operations,
                                                proposals,
                                                whenOneIsDone));
            }
            whenOneIsDone.run();
            return proposals;
        }

        /**
         * Proposes the groups of a shard, and adds their proposals. Runs {@code whenOneIsDone} for
         * each group that is not proposed. Returns whether all are.
         */
        private boolean propose(
                Shard shard,
                List<RowGroup> groups,
                List<OperationId> operations,
                List<Optional<Proposal>> proposals,
                Runnable whenOneIsDone) {
            long term = shard.journal().term();
            Set<Integer> full = new HashSet<>();
            for (int i = 0; i < groups.size(); i++) {
                RowGroup group = groups.get(i);
                if (shards.of(group.partition()) != shard) {
                    continue;
                }
                // After a group that found no room, no later group of its partition is written: for
                // each document, the last row wins.
                Optional<Proposal> proposal =
                        full.contains(group.partition())
                                ? Optional.empty()
                                : partitions
                                        .get(group.partition())
                                        .propose(
                                                shard.journal(),
                                                new RowProposal(
                                                        term,
                                                        group.partition(),
                                                        group.rows(),
                                                        group.operations(operations)),
                                                whenOneIsDone);
                if (proposal.isEmpty()) {
                    full.add(group.partition());
                    whenOneIsDone.run();
                }
                proposals.set(i, proposal);
            }
            return full.isEmpty();
        }

        @Override
        public void close() {
            if (isAdmitted()) {
                lock.release();
            }
        }
    }

    /**
     * Returns the reply to a write that finds no room in memory or in the queue. On a full disk
     * flushes fail, and memory fills up: then the reply says so.
     */
    private WriteReply overloaded(boolean mayGrow) {
        Optional<String> full = mayGrow ? limits.blocked() : limits.full();
        return full.<WriteReply>map(WriteReply.OutOfSpace::new)
                .orElseGet(() -> new WriteReply.Overloaded(settings.overload().retryAfter()));
    }

    private void count(Outcome outcome, int rows) {
        switch (outcome) {
            case Outcome.Applied(long _) -> stored.add(rows);
            case Outcome.Each(List<Outcome> each) -> each.forEach(of -> count(of, 1));
            default -> {
                // Nothing was stored, as far as is known.
            }
        }
    }

    /** Returns the reply to the {@code index}-th row of a proposal. */
    private WriteReply reply(Outcome outcome, int partition, byte[] row, int index) {
        return switch (outcome) {
            case Outcome.AppliedBefore(long timestamp, long position) ->
                    new WriteReply.Stored(timestamp, new PartitionPosition(partition, position));
            case Outcome.Each(List<Outcome> rows) -> reply(rows.get(index), partition, row, 0);
            case Outcome.Forgotten() ->
                    new WriteReply.OutcomeUnknown(
                            "it was sent before, and is not remembered", true);
            case Outcome.NotWritten() -> new WriteReply.WrongOwner(0);
            case Outcome.Applied(long first) ->
                    new WriteReply.Stored(
                            RowEncoding.timestamp(MemorySegment.ofArray(row)),
                            new PartitionPosition(partition, first + index));
            case Outcome.Failed(String reason) -> new WriteReply.Failed(reason);
            case Outcome.TimedOut() -> new WriteReply.TimedOut();
        };
    }

    private static Duration shorter(Duration left, Duration right) {
        return left.compareTo(right) < 0 ? left : right;
    }
}
