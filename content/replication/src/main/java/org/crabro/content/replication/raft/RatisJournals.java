package org.crabro.content.replication.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.crabro.content.replication.log.ReplicatedJournal;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.commit.ShardJournals;

/**
 * The journals of a node, each on the log of a group.
 *
 * @param groups started; not closed with the journals
 * @param cluster the name of the content cluster
 * @param count the number of shards
 * @param members returns the replicas of a shard if this node is one of them, otherwise none; see
 *     {@link RatisGroups#log(ShardGroup, GroupMembers)}
 * @param settings of the queue of each journal
 * @param random identifies this start of the process
 */
public record RatisJournals(
        RatisGroups groups,
        String cluster,
        int count,
        IntFunction<GroupMembers> members,
        JournalSettings settings,
        RandomGenerator random)
        implements ShardJournals {
    /** Groups begin with empty partitions, so positions begin at 0. */
    private static final long BASE = 0;

    @Override
    public boolean isHere(int shard) {
        var group = new ShardGroup(cluster, shard);
        try {
            return groups.isHere(group)
                    || (!groups.isRemoved(group) && !members.apply(shard).voters().isEmpty());
        } catch (IOException e) {
            throw new UncheckedIOException("the record of shard %d".formatted(shard), e);
        }
    }

    /**
     * @throws UncheckedIOException if the log cannot be started
     */
    @Override
    public Journal start(int shard, Journal.Applier applier) {
        try {
            var group = new ShardGroup(cluster, shard);
            return ReplicatedJournal.start(
                    groups.log(group, members.apply(shard)),
                    applier,
                    settings,
                    random.nextLong(),
                    BASE);
        } catch (IOException e) {
            throw new UncheckedIOException("the record of shard %d".formatted(shard), e);
        }
    }
}
