package org.crabro.server.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.server.cluster.PeerHello.Founding;
import org.crabro.server.cluster.PeerHello.Member;

/** Which config servers work together. Pure functions. */
final class PeerRules {
    /** How many servers are more than one that lies. */
    private static final int CREDIBLE = 2;

    private PeerRules() {}

    /** What a server does that knows no group. */
    sealed interface Step {
        /** The others do not answer yet. */
        record Wait() implements Step {}

        /** The server cannot take part. */
        record Stop(String reason) implements Step {}

        /** Begin a new group. */
        record Begin(List<Member> members) implements Step {}

        /** Take part in a group that began with this server. */
        record Follow(Founding founding) implements Step {}

        /** Take part in a group that began without this data directory. */
        record Join(Founding founding, String leader) implements Step {}
    }

    /**
     * Returns what a server does next that knows no group. It believes in a group that the first
     * server tells, which begins groups, or two servers; and in a leader only if two tell the same
     * group. So one server that lies, or has old data, does not lead it into a group of its own.
     *
     * @param answers of other servers
     * @param isComplete whether these are all other servers
     */
    static Step next(PeerHello own, List<PeerHello.Answer> answers, boolean isComplete) {
        for (PeerHello.Answer answer : answers) {
            Optional<Founding> founding = answer.own().founding();
            if (founding.isEmpty()
                    || !answer.refusal().isEmpty()
                    || !isCredible(answer, own, answers)) {
                continue;
            }
            if (!own.clusterId().isEmpty() && !own.clusterId().equals(founding.get().clusterId())) {
                return new Step.Stop(
                        otherCluster(own.member().host(), own.clusterId(), founding.get()));
            }
            if (founding.get().members().stream()
                    .anyMatch(each -> each.peer().equals(own.member().peer()))) {
                return new Step.Follow(founding.get());
            }
            if (answer.isLeading() && count(founding.get(), answers) >= CREDIBLE) {
                return new Step.Join(founding.get(), answer.own().member().host());
            }
        }
        boolean isFirst = own.member().host().equals(own.servers().getFirst());
        boolean isNew = answers.stream().allMatch(each -> each.own().founding().isEmpty());
        if (!isFirst || !isComplete || !isNew) {
            return new Step.Wait();
        }
        for (PeerHello.Answer answer : answers) {
            Optional<String> refusal = refusal(own, answer.own(), List.of());
            if (refusal.isPresent()) {
                // It stops, as this server tells it so.
                return new Step.Wait();
            }
        }
        if (!own.clusterId().isEmpty()) {
            return new Step.Stop(
                    "the data directory of host '%s' belongs to cluster %s, but its config servers have no data"
                            .formatted(own.member().host(), own.clusterId()));
        }
        List<Member> members = new ArrayList<>();
        members.add(own.member());
        answers.forEach(each -> members.add(each.own().member()));
        return new Step.Begin(members);
    }

    private static boolean isCredible(
            PeerHello.Answer answer, PeerHello own, List<PeerHello.Answer> answers) {
        return answer.own().member().host().equals(own.servers().getFirst())
                || count(answer.own().founding().orElseThrow(), answers) >= CREDIBLE;
    }

    private static long count(Founding founding, List<PeerHello.Answer> answers) {
        return answers.stream()
                .filter(each -> each.own().founding().equals(Optional.of(founding)))
                .map(each -> each.own().member().host())
                .distinct()
                .count();
    }

    /**
     * Returns why a server that knows no leader must stop; empty if it need not. A member of a
     * group stops when all others refuse it: one of them may lie.
     *
     * @param isMember whether the server knows its group
     */
    static Optional<String> stop(boolean isMember, List<PeerHello.Answer> answers) {
        List<String> reasons =
                answers.stream()
                        .map(PeerHello.Answer::refusal)
                        .filter(reason -> !reason.isEmpty())
                        .toList();
        return reasons.isEmpty() || (isMember && reasons.size() < CREDIBLE)
                ? Optional.empty()
                : Optional.of(reasons.getFirst());
    }

    /**
     * Returns why another config server may not take part; empty if it may.
     *
     * @param voters the peers that vote now; empty if they are not known
     */
    static Optional<String> refusal(PeerHello own, PeerHello other, List<String> voters) {
        String host = other.member().host();
        if (!own.servers().contains(host)) {
            return Optional.of(
                    "host '%s' is no config server of this cluster, which has %s"
                            .formatted(host, String.join(", ", own.servers())));
        }
        if (!own.servers().equals(other.servers())) {
            return Optional.of(
                    "host '%s' was started with the config servers %s, but host '%s' with %s"
                            .formatted(
                                    host,
                                    String.join(",", other.servers()),
                                    own.member().host(),
                                    String.join(",", own.servers())));
        }
        boolean isOther =
                !other.clusterId().isEmpty() && !other.clusterId().equals(own.clusterId());
        if (isOther && own.founding().isPresent()) {
            return Optional.of(otherCluster(host, other.clusterId(), own.founding().get()));
        }
        if (isOther) {
            return Optional.of(
                    "the data directory of host '%s' belongs to cluster %s, but this cluster is new"
                            .formatted(host, other.clusterId()));
        }
        if (other.founding().isPresent()
                && !other.isJoining()
                && !voters.isEmpty()
                && !voters.contains(other.member().peer())) {
            return Optional.of(
                    "another data directory has taken the place of this one of host '%s'"
                            .formatted(host));
        }
        return Optional.empty();
    }

    private static String otherCluster(String host, String clusterId, Founding founding) {
        return "the data directory of host '%s' belongs to cluster %s, but this is cluster %s"
                .formatted(host, clusterId, founding.clusterId());
    }
}
