package org.crabro.container.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.crabro.protocol.feed.FeedReply;

/**
 * The outcomes of a write in several content clusters, and their common outcome.
 *
 * <p>A failure in one cluster is the common outcome; its message names the cluster, and those that
 * have written. An unmet condition comes next, if the cluster has the document. Otherwise the write
 * succeeds if it did in one cluster.
 */
public final class CopyReplies {
    private static final String NO_TIME = "time ran out";

    private final List<String> written = new ArrayList<>();
    private Optional<WriteReply> failure = Optional.empty();
    private Optional<WriteReply> best = Optional.empty();

    /**
     * Adds the outcome in a cluster.
     *
     * @return whether the write succeeded or was refused by its own condition; otherwise the
     *     further clusters need not be asked
     */
    public boolean add(String cluster, WriteReply reply) {
        switch (reply) {
            case WriteReply.Answered(FeedReply fed) -> add(cluster, fed, reply);
            case WriteReply.Partly _ -> {
                written.add(cluster);
                keep(reply);
            }
            case WriteReply.Forbidden _ -> failure = Optional.of(reply);
            case WriteReply.Ignored _ -> keep(reply);
        }
        return failure.isEmpty();
    }

    private void add(String cluster, FeedReply fed, WriteReply reply) {
        switch (fed) {
            case FeedReply.Stored _ -> {
                written.add(cluster);
                keep(reply);
            }
            case FeedReply.Missing(), FeedReply.ConditionNotMet _ -> keep(reply);
            case FeedReply.Rejected(String reason) ->
                    fail(new FeedReply.Rejected(told(cluster, reason)));
            case FeedReply.TooLarge(String reason) ->
                    fail(new FeedReply.TooLarge(told(cluster, reason)));
            case FeedReply.OutOfSpace(String reason) ->
                    fail(new FeedReply.OutOfSpace(told(cluster, reason)));
            case FeedReply.Failed(String reason) ->
                    fail(new FeedReply.Failed(told(cluster, reason)));
            case FeedReply.Unavailable(String reason) -> failUnlessFirst(cluster, fed, reason);
            case FeedReply.OutcomeUnknown(String reason, boolean isFinal) ->
                    fail(new FeedReply.OutcomeUnknown(told(cluster, reason), isFinal));
            case FeedReply.TimedOut() -> failUnlessFirst(cluster, fed, NO_TIME);
            case FeedReply.Overloaded _ ->
                    failUnlessFirst(cluster, fed, "the content node has too much to write");
            case FeedReply.WrongOwner _ ->
                    failUnlessFirst(cluster, fed, "no node owns the partition of the document");
        }
    }

    /** Returns whether a cluster has written. */
    boolean hasWritten() {
        return !written.isEmpty();
    }

    /** Returns the common outcome; empty if no cluster was asked. */
    public Optional<WriteReply> result() {
        return failure.or(() -> best);
    }

    /** A reply without a reason cannot name the clusters that have written. */
    private void failUnlessFirst(String cluster, FeedReply reply, String reason) {
        fail(written.isEmpty() ? reply : new FeedReply.Failed(told(cluster, reason)));
    }

    private void fail(FeedReply reply) {
        if (failure.isEmpty()) {
            failure = Optional.of(new WriteReply.Answered(reply));
        }
    }

    private String told(String cluster, String reason) {
        return "content cluster '%s': %s%s"
                .formatted(
                        cluster,
                        reason,
                        written.isEmpty()
                                ? ""
                                : "; the operation was carried out in "
                                        + written.stream()
                                                .map(name -> "'" + name + "'")
                                                .collect(Collectors.joining(", ")));
    }

    private void keep(WriteReply reply) {
        if (best.isEmpty() || weight(reply) > weight(best.get())) {
            best = Optional.of(reply);
        }
    }

    private static int weight(WriteReply reply) {
        return switch (reply) {
            case WriteReply.Answered(FeedReply.ConditionNotMet(boolean exists)) when exists -> 5;
            case WriteReply.Partly _ -> 4;
            case WriteReply.Answered(FeedReply.Stored _) -> 3;
            case WriteReply.Answered(FeedReply.ConditionNotMet _) -> 2;
            case WriteReply.Answered(FeedReply.Missing()) -> 1;
            case WriteReply.Answered _, WriteReply.Forbidden _, WriteReply.Ignored _ -> 0;
        };
    }
}
