package org.crabro.protocol.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.ShardReport;

/**
 * What the replicas of a shard say about it, and what of that is shown by enough of them. No report
 * counts alone: a node can say about itself whatever it likes. Pure functions.
 *
 * <p>A <b>configuration</b> is what a leader reports of it, with the same index, if
 *
 * <ol>
 *   <li>a majority of its voters has it as the newest one. So it is not superseded: the next one
 *       would need a majority of the same voters; and
 *   <li>a majority of the recorded voters has it, too. The last voter of two who does not vote any
 *       more is not counted, unless it has the recorded configuration as the newest one.
 * </ol>
 *
 * The second condition is not needed if no replica has the recorded configuration any more, and as
 * many have the other one: then the recorded one is wrong or very old. There is no rule that an
 * index only rises: then a wrong one could never be replaced.
 *
 * <p>A <b>leader</b> is who says so, if a majority of the voters, with itself, says the same in
 * that term. A term never falls, unless a majority of the voters reports lower ones: then no
 * majority can have elected a leader in the recorded term.
 *
 * <p>Replicas of older releases neither report the configuration nor the leader that they know.
 * They count as agreeing with each index that they have applied, and each term that they have
 * reached.
 */
final class ShardEvidence {
    private final List<Replica> recorded;
    private final Configuration recordedConfiguration;

    /** The reports of nodes that work, by peer. */
    private final Map<String, Witness> witnesses = new HashMap<>();

    /** The peers of all reports. */
    private final Set<String> peers = new HashSet<>();

    private record Witness(int node, String peer, ShardReport report) {
        Optional<Configuration> claimed() {
            return report.isLeader() ? report.configuration() : Optional.empty();
        }
    }

    /**
     * A leader that is shown.
     *
     * @param node empty if no leader of the term is shown
     */
    record Lead(long term, Optional<Integer> node) {}

    /**
     * @param before the shard as it is recorded
     * @param listeners of the recorded configuration
     * @param reports of nodes, each from the host that has the node; each peer once
     * @param silent the nodes whose last report is too old to count
     */
    ShardEvidence(
            int shard,
            ShardState before,
            List<Replica> listeners,
            Collection<NodeReport> reports,
            Set<Integer> silent) {
        this.recorded = before.voters();
        this.recordedConfiguration =
                new Configuration(
                        before.configuration(),
                        before.voters().stream().map(Replica::peer).toList(),
                        Optional.of(listeners.stream().map(Replica::peer).toList()));
        for (NodeReport report : reports) {
            peers.add(report.peer());
            if (!silent.contains(report.node())) {
                report.shards().stream()
                        .filter(each -> each.shard() == shard)
                        .findFirst()
                        .ifPresent(each ->
                                witnesses.put(
                                        report.peer(),
                                        new Witness(report.node(), report.peer(), each)));
            }
        }
    }

    /** Returns the configuration that is shown; the recorded one if no other is. */
    Configuration configuration() {
        List<Configuration> shown = new ArrayList<>();
        for (Witness leader : witnesses.values()) {
            leader.claimed()
                    .filter(each -> each.voters().contains(leader.peer()))
                    .filter(each -> isShown(each, leader))
                    .ifPresent(shown::add);
        }
        return shown.stream()
                .max(
                        Comparator.comparingLong(this::supporters)
                                .thenComparingLong(Configuration::index))
                .filter(each -> !isSame(each, recordedConfiguration))
                .orElse(recordedConfiguration);
    }

    private boolean isShown(Configuration claimed, Witness leader) {
        long voting =
                claimed.voters().stream()
                        .distinct()
                        .filter(peer -> supports(peer, claimed, leader))
                        .count();
        if (voting < majority(claimed.voters().size())) {
            return false;
        }
        List<String> before = countedVoters();
        long agreeing =
                before.stream()
                        .filter(peer ->
                                supports(peer, claimed, leader)
                                        || isExcused(peer, claimed, before.size()))
                        .count();
        if (agreeing >= majority(before.size())) {
            return true;
        }
        boolean isRecordedHad =
                witnesses.values().stream().anyMatch(each -> has(each, recordedConfiguration));
        return !isRecordedHad && supporters(claimed) >= majority(before.size());
    }

    /**
     * Returns the peers of the recorded voters that are data directories of nodes. Others do not
     * exist any more, or never did.
     */
    private List<String> countedVoters() {
        return recorded.stream()
                .filter(each -> each.node() != Replica.UNKNOWN || peers.contains(each.peer()))
                .map(Replica::peer)
                .distinct()
                .toList();
    }

    /** Two voters can be one after a change, and the one that has left knows no more of it. */
    private boolean isExcused(String peer, Configuration claimed, int before) {
        Witness witness = witnesses.get(peer);
        return before <= 2
                && !claimed.voters().contains(peer)
                && (witness == null || !has(witness, recordedConfiguration));
    }

    private boolean supports(String peer, Configuration claimed, Witness leader) {
        Witness witness = witnesses.get(peer);
        if (witness == null) {
            return false;
        }
        return isOfOlderRelease(witness)
                ? claimed.voters().contains(peer)
                        && witness.report().term() >= leader.report().term()
                        && witness.report().applied() >= claimed.index()
                : has(witness, claimed);
    }

    private long supporters(Configuration claimed) {
        return witnesses.values().stream().filter(each -> has(each, claimed)).count();
    }

    private static boolean has(Witness witness, Configuration configuration) {
        return witness.report()
                .configuration()
                .filter(each -> isSame(each, configuration))
                .isPresent();
    }

    private static boolean isSame(Configuration one, Configuration other) {
        return one.index() == other.index()
                && Set.copyOf(one.voters()).equals(Set.copyOf(other.voters()))
                && Set.copyOf(one.listeners().orElse(List.of()))
                        .equals(Set.copyOf(other.listeners().orElse(List.of())));
    }

    private static boolean isOfOlderRelease(Witness witness) {
        return !witness.report().isLeader() && witness.report().configuration().isEmpty();
    }

    private static int majority(int count) {
        return count / 2 + 1;
    }

    /**
     * Returns the leader.
     *
     * @param voters by the configuration that is shown, or else the recorded one
     * @param before the recorded term and leader
     */
    Lead leader(List<Replica> voters, Lead before) {
        List<Witness> voting =
                voters.stream()
                        .map(each -> witnesses.get(each.peer()))
                        .filter(each -> each != null)
                        .toList();
        int needed = majority(voters.size());
        boolean isWrong =
                voting.stream().filter(each -> each.report().term() < before.term()).count()
                        >= needed;
        long lowest = isWrong ? 0 : before.term();
        Optional<Witness> shown =
                voting.stream()
                        .filter(each -> each.report().isLeader())
                        .filter(each -> each.report().term() >= lowest)
                        .filter(each -> isLeader(each, voting, needed) || isStill(each, before))
                        .max(Comparator.comparingLong(each -> each.report().term()));
        if (shown.isPresent()) {
            return new Lead(shown.get().report().term(), Optional.of(shown.get().node()));
        }
        return new Lead(isWrong ? reached(voting, needed) : before.term(), Optional.empty());
    }

    private static boolean isLeader(Witness claimant, List<Witness> voting, int needed) {
        long agreeing =
                voting.stream()
                        .filter(each -> each.equals(claimant) || follows(each, claimant))
                        .count();
        return agreeing >= needed;
    }

    private static boolean follows(Witness witness, Witness leader) {
        long term = leader.report().term();
        return isOfOlderRelease(witness)
                ? witness.report().term() >= term
                : witness.report().term() == term
                        && witness.report()
                                .configuration()
                                .flatMap(Configuration::leader)
                                .filter(leader.peer()::equals)
                                .isPresent();
    }

    /** A term has one leader. Followers that start again do not know it at first. */
    private static boolean isStill(Witness witness, Lead before) {
        return witness.report().term() == before.term()
                && before.node().filter(each -> each == witness.node()).isPresent();
    }

    /** Returns the highest term that a majority of the voters has reached. */
    private static long reached(List<Witness> voting, int needed) {
        return voting.stream()
                .map(each -> each.report().term())
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElse(0L);
    }
}
