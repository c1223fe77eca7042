package org.crabro.container.document;

import java.time.Duration;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The HTTP status of the outcome of a write. No other class decides it.
 *
 * @param message for the client; may be empty
 * @param retryAfter the time after which a client may send the write again, if it should
 */
public record ReplyStatus(int code, String message, Optional<Duration> retryAfter) {
    private static final Duration UNAVAILABLE = Duration.ofSeconds(1);

    /**
     * A write whose outcome is shown.
     *
     * @param id empty for the removal of a group
     * @param timedOut the message if the deadline has passed
     * @param isStrict whether an update without a document is an error
     */
    public record Context(Optional<DocumentId> id, String timedOut, boolean isStrict) {
        /** A write of a document within the timeout of a request. */
        public static Context of(DocumentId id, Duration timeout, boolean isStrict) {
            return new Context(Optional.of(id), ReplyStatus.timedOut(timeout), isStrict);
        }

        /** A write of a request for many documents. */
        public static Context ofMany() {
            return new Context(Optional.empty(), "time is up", false);
        }
    }

    /** Returns the status of an outcome. */
    public static ReplyStatus of(WriteResult result, Context context) {
        return switch (result) {
            case WriteResult.Forbidden(String reason) -> of(HttpStatus.FORBIDDEN_403, reason);
            case WriteResult.Ignored(String reason) -> of(HttpStatus.OK_200, reason);
            case WriteResult.Partly partly -> of(HttpStatus.OK_200, partly.message());
            case WriteResult.Answered(WriteReply reply) -> of(reply, context);
        };
    }

    private static ReplyStatus of(WriteReply reply, Context context) {
        return switch (reply) {
            case WriteReply.Stored _ -> of(HttpStatus.OK_200, "");
            case WriteReply.Missing() ->
                    of(
                            context.isStrict() ? HttpStatus.NOT_FOUND_404 : HttpStatus.OK_200,
                            "there is no document: nothing is updated");
            case WriteReply.ConditionNotMet(boolean exists) ->
                    of(
                            HttpStatus.PRECONDITION_FAILED_412,
                            context.id()
                                    .map(id -> ConditionNotMet.message(id, exists))
                                    .orElse("the condition is not met"));
            case WriteReply.Rejected(String reason) -> of(HttpStatus.BAD_REQUEST_400, reason);
            case WriteReply.TooLarge(String reason) -> of(HttpStatus.PAYLOAD_TOO_LARGE_413, reason);
            case WriteReply.Overloaded(Duration retryAfter) ->
                    new ReplyStatus(
                            HttpStatus.TOO_MANY_REQUESTS_429,
                            "overload: the content node has too much to write",
                            Optional.of(retryAfter));
            case WriteReply.OutOfSpace(String reason) ->
                    of(HttpStatus.INSUFFICIENT_STORAGE_507, reason);
            case WriteReply.TimedOut() -> of(HttpStatus.GATEWAY_TIMEOUT_504, context.timedOut());
            case WriteReply.Failed(String reason) ->
                    of(HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
            case WriteReply.Unavailable(String reason) ->
                    new ReplyStatus(
                            HttpStatus.SERVICE_UNAVAILABLE_503, reason, Optional.of(UNAVAILABLE));
            case WriteReply.OutcomeUnknown unknown ->
                    of(HttpStatus.GATEWAY_TIMEOUT_504, unknown.message());
            case WriteReply.WrongOwner(long stateVersion) ->
                    of(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "no node owns the partition by cluster state " + stateVersion);
        };
    }

    /** Returns the message of an operation on a document whose deadline has passed. */
    public static String timedOut(Duration timeout) {
        return "Timeout after " + timeout.toMillis() + "ms";
    }

    /** Returns the value of a {@code Retry-After} header: whole seconds, at least 1. */
    public static long seconds(Duration pause) {
        return Math.max(1, pause.plusNanos(999_999_999).toSeconds());
    }

    private static ReplyStatus of(int code, String message) {
        return new ReplyStatus(code, message, Optional.empty());
    }
}
