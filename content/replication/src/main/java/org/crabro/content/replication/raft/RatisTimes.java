package org.crabro.content.replication.raft;

import java.time.Duration;

/**
 * When a replica starts an election, and how long it waits for a report of Ratis.
 *
 * @param electionMin a follower that has not heard of the leader for this long may start an
 *     election; a leader sends messages at less than half of it
 * @param electionMax a follower that has not heard of the leader for this long starts an election,
 *     and a leader that has not heard of a majority stops to lead
 * @param removal Ratis reports that a group was removed after its tasks have ended, so long at most
 */
public record RatisTimes(Duration electionMin, Duration electionMax, Duration removal) {
    /**
     * Long enough that a busy machine or a pause of the garbage collector changes no leader. With 1
     * to 2 s, heartbeats of eight shards take 0.6 % of a core more.
     */
    public static final RatisTimes DEFAULT =
            new RatisTimes(
                    Duration.ofMillis(1_500), Duration.ofMillis(2_500), Duration.ofSeconds(20));

    public RatisTimes {
        if (electionMin.isNegative()
                || electionMin.isZero()
                || electionMax.compareTo(electionMin) <= 0
                || removal.isNegative()) {
            throw new IllegalArgumentException(
                    "%s to %s, %s".formatted(electionMin, electionMax, removal));
        }
    }
}
