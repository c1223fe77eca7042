package org.crabro.content.storage.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.commit.ShardJournals;

/**
 * Journals in memory that outlive the store. A start passes all rows again that are not released,
 * as a replicated journal does. Positions begin at another base in each shard.
 */
final class DurableJournals implements ShardJournals {
    private static final long BASE = 1_000_000;

    private final List<DurableJournal> shards = new ArrayList<>();

    DurableJournals(int count) {
        for (int i = 0; i < count; i++) {
            shards.add(new DurableJournal((i + 1) * BASE));
        }
    }

    @Override
    public int count() {
        return shards.size();
    }

    @Override
    public Journal start(int shard, Journal.Applier applier) {
        DurableJournal journal = shards.get(shard);
        journal.start(applier);
        return journal;
    }

    /** Returns the partitions of the rows that are not released. */
    List<Integer> partitions(int shard) {
        return shards.get(shard).entries.stream().map(Entry::partition).distinct().toList();
    }

    private record Entry(int partition, long position, List<byte[]> row) {}

    private static final class DurableJournal implements MemoryJournal {
        private final List<Entry> entries = new ArrayList<>();
        private long next;
        private long released;
        private Applier applier = (_, _, _) -> {};

        DurableJournal(long base) {
            this.next = base;
        }

        synchronized void start(Applier with) {
            applier = with;
            for (Entry each : entries) {
                with.apply(each.partition, each.position, each.row);
            }
        }

        @Override
        public long term() {
            return 0;
        }

        @Override
        public synchronized Proposal current() {
            var current = new Proposal();
            current.complete(new Proposal.Outcome.Applied(next - 1));
            return current;
        }

        @Override
        public synchronized Optional<Proposal> propose(RowProposal rows, Runnable whenDone) {
            int partition = rows.partition();
            long first = next;
            for (byte[] row : rows.rows()) {
                entries.add(new Entry(partition, next, List.of(row)));
                next++;
            }
            applier.apply(partition, first, rows.rows());
            var proposal = new Proposal();
            proposal.complete(new Proposal.Outcome.Applied(first));
            whenDone.run();
            return Optional.of(proposal);
        }

        @Override
        public synchronized <T> T together(Supplier<T> proposing) {
            return proposing.get();
        }

        @Override
        public synchronized long applied() {
            return next - 1;
        }

        @Override
        public synchronized void release(long position) {
            released = Math.max(released, position);
            entries.removeIf(each -> each.position <= released);
        }

        @Override
        public synchronized long bytes() {
            return entries.stream().mapToLong(each -> each.row.getFirst().length).sum();
        }
    }
}
