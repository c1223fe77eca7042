package org.crabro.container.bulk;

import java.time.Duration;
import java.util.List;
import org.crabro.container.document.ConditionNotMet;
import org.crabro.container.document.WriteReply;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.feed.FeedReply;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The status of an operation, the same as in a request of its own.
 *
 * @param message may be empty
 * @param trace the steps, if the request asks for a trace
 */
record WriteStatus(int status, String message, List<String> trace) implements LineOutcome {
    static final WriteStatus OK = new WriteStatus(HttpStatus.OK_200, "");

    /** An update found no document, which is no error. */
    private static final WriteStatus MISSING =
            new WriteStatus(HttpStatus.OK_200, "there is no document: nothing is updated");

    private static final WriteStatus STRICTLY_MISSING =
            new WriteStatus(HttpStatus.NOT_FOUND_404, MISSING.message());

    WriteStatus {
        trace = List.copyOf(trace);
    }

    WriteStatus(int status, String message) {
        this(status, message, List.of());
    }

    /**
     * @param isStrict whether an update without a document gets status 404
     */
    static WriteStatus of(WriteReply reply, DocumentId id, Duration timeout, boolean isStrict) {
        return switch (reply) {
            case WriteReply.Forbidden(String reason) ->
                    new WriteStatus(HttpStatus.FORBIDDEN_403, reason);
            case WriteReply.Ignored(String reason) -> new WriteStatus(HttpStatus.OK_200, reason);
            case WriteReply.Partly partly -> new WriteStatus(HttpStatus.OK_200, partly.message());
            case WriteReply.Answered(FeedReply answer) -> of(answer, id, timeout, isStrict);
        };
    }

    private static WriteStatus of(
            FeedReply reply, DocumentId id, Duration timeout, boolean isStrict) {
        return switch (reply) {
            case FeedReply.Stored _ -> OK;
            case FeedReply.Missing _ -> isStrict ? STRICTLY_MISSING : MISSING;
            case FeedReply.ConditionNotMet(boolean exists) ->
                    new WriteStatus(
                            HttpStatus.PRECONDITION_FAILED_412,
                            ConditionNotMet.message(id, exists));
            case FeedReply.Rejected(String reason) ->
                    new WriteStatus(HttpStatus.BAD_REQUEST_400, reason);
            case FeedReply.TooLarge(String reason) ->
                    new WriteStatus(HttpStatus.PAYLOAD_TOO_LARGE_413, reason);
            case FeedReply.Overloaded _ ->
                    new WriteStatus(
                            HttpStatus.TOO_MANY_REQUESTS_429,
                            "overload: the content node has too much to write");
            case FeedReply.OutOfSpace(String reason) ->
                    new WriteStatus(HttpStatus.INSUFFICIENT_STORAGE_507, reason);
            case FeedReply.TimedOut() -> timedOut(timeout);
            case FeedReply.Failed(String reason) ->
                    new WriteStatus(HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
            case FeedReply.Unavailable(String reason) ->
                    new WriteStatus(HttpStatus.SERVICE_UNAVAILABLE_503, reason);
            case FeedReply.OutcomeUnknown unknown ->
                    new WriteStatus(HttpStatus.GATEWAY_TIMEOUT_504, unknown.message());
            case FeedReply.WrongOwner(long stateVersion) ->
                    new WriteStatus(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "no node owns the document's partition by cluster state "
                                    + stateVersion);
        };
    }

    /** Returns the status of an operation that does not get the memory for its values. */
    static WriteStatus refused(MemoryRefusedException refusal) {
        return new WriteStatus(
                refusal.isTooLarge()
                        ? HttpStatus.PAYLOAD_TOO_LARGE_413
                        : HttpStatus.TOO_MANY_REQUESTS_429,
                String.valueOf(refusal.getMessage()));
    }

    static WriteStatus timedOut(Duration timeout) {
        return new WriteStatus(
                HttpStatus.GATEWAY_TIMEOUT_504, "Timeout after " + timeout.toMillis() + "ms");
    }

    /** Returns whether this is a success without a message. */
    boolean isPlain() {
        return status == HttpStatus.OK_200 && message.isEmpty() && trace.isEmpty();
    }

    /** Returns whether an update found no document, and that is no error. */
    boolean isMissing() {
        return status == HttpStatus.OK_200 && message.equals(MISSING.message());
    }

    /** Returns this with a trace. */
    WriteStatus with(List<String> notes) {
        return new WriteStatus(status, message, notes);
    }

    /** Returns this with {@code note} as its message if it has none. */
    WriteStatus or(String note) {
        return message.isEmpty() && !note.isEmpty() ? new WriteStatus(status, note, trace) : this;
    }
}
