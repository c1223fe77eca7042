package org.crabro.container.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.crabro.container.document.WriteResult;
import org.crabro.protocol.feed.WriteReply;

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
    private Optional<WriteResult> failure = Optional.empty();
    private Optional<WriteResult> best = Optional.empty();

    /**
     * Adds the outcome in a cluster.
     *
     * @return whether the write succeeded or was refused by its own condition; otherwise the
     *     further clusters need not be asked
     */
    public boolean add(String cluster, WriteResult reply) {
        switch (reply) {
            case WriteResult.Answered(WriteReply fed) -> add(cluster, fed, reply);
            case WriteResult.Partly _ -> {
                written.add(cluster);
                keep(reply);
            }
            case WriteResult.Forbidden _ -> failure = Optional.of(reply);
            case WriteResult.Ignored _ -> keep(reply);
        }
        return failure.isEmpty();
    }

    private void add(String cluster, WriteReply fed, WriteResult reply) {
        switch (fed) {
            case WriteReply.Stored _ -> {
                written.add(cluster);
                keep(reply);
            }
            case WriteReply.Missing(), WriteReply.ConditionNotMet _ -> keep(reply);
            case WriteReply.Rejected(String reason) ->
                    fail(new WriteReply.Rejected(told(cluster, reason)));
            case WriteReply.TooLarge(String reason) ->
                    fail(new WriteReply.TooLarge(told(cluster, reason)));
            case WriteReply.OutOfSpace(String reason) ->
                    fail(new WriteReply.OutOfSpace(told(cluster, reason)));
            case WriteReply.Failed(String reason) ->
                    fail(new WriteReply.Failed(told(cluster, reason)));
            case WriteReply.Unavailable(String reason) -> failUnlessFirst(cluster, fed, reason);
            case WriteReply.OutcomeUnknown(String reason, boolean isFinal) ->
                    fail(new WriteReply.OutcomeUnknown(told(cluster, reason), isFinal));
            case WriteReply.TimedOut() -> failUnlessFirst(cluster, fed, NO_TIME);
            case WriteReply.Overloaded _ ->
                    failUnlessFirst(cluster, fed, "the content node has too much to write");
            case WriteReply.WrongOwner _ ->
                    failUnlessFirst(cluster, fed, "no node owns the partition of the document");
        }
    }

    /** Returns whether a cluster has written. */
    boolean hasWritten() {
        return !written.isEmpty();
    }

    /** Returns the common outcome; empty if no cluster was asked. */
    public Optional<WriteResult> result() {
        return failure.or(() -> best);
    }

    /** A reply without a reason cannot name the clusters that have written. */
    private void failUnlessFirst(String cluster, WriteReply reply, String reason) {
        fail(written.isEmpty() ? reply : new WriteReply.Failed(told(cluster, reason)));
    }

    private void fail(WriteReply reply) {
        if (failure.isEmpty()) {
            failure = Optional.of(new WriteResult.Answered(reply));
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

    private void keep(WriteResult reply) {
        if (best.isEmpty() || weight(reply) > weight(best.get())) {
            best = Optional.of(reply);
        }
    }

    private static int weight(WriteResult reply) {
        return switch (reply) {
            case WriteResult.Answered(WriteReply.ConditionNotMet(boolean exists)) when exists -> 5;
            case WriteResult.Partly _ -> 4;
            case WriteResult.Answered(WriteReply.Stored _) -> 3;
            case WriteResult.Answered(WriteReply.ConditionNotMet _) -> 2;
            case WriteResult.Answered(WriteReply.Missing()) -> 1;
            case WriteResult.Answered _, WriteResult.Forbidden _, WriteResult.Ignored _ -> 0;
        };
    }
}
