package org.crabro.content.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.crabro.content.recent.Journal;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.ShardJournals;
import org.crabro.content.replication.ReplicatedJournal;

/**
 * The journals of a node, each on the log of a group.
 *
 * @param groups started; not closed with the journals
 * @param cluster the name of the content cluster
 * @param voters of each shard when its group was created; see {@link RatisGroups#log}
 * @param settings of the queue of each journal
 * @param random identifies this start of the process
 */
public record RatisJournals(
        RatisGroups groups,
        String cluster,
        List<List<ReplicaAddress>> voters,
        JournalSettings settings,
        RandomGenerator random)
        implements ShardJournals {
    /** Groups begin with empty partitions, so positions begin at 0. */
    private static final long BASE = 0;

    public RatisJournals {
        voters = voters.stream().map(List::copyOf).toList();
    }

    @Override
    public int count() {
        return voters.size();
    }

    /**
     * @throws UncheckedIOException if the log cannot be started
     */
    @Override
    public Journal start(int shard, Journal.Applier applier) {
        try {
            var group = new ShardGroup(cluster, shard);
            return ReplicatedJournal.start(
                    groups.log(group, voters.get(shard)),
                    applier,
                    settings,
                    random.nextLong(),
                    BASE);
        } catch (IOException e) {
            throw new UncheckedIOException("the record of shard %d".formatted(shard), e);
        }
    }
}
