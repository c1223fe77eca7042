package org.crabro.container.bulk;

import java.time.Duration;
import org.crabro.container.document.WriteReply;
import org.crabro.protocol.feed.FeedReply;
import org.eclipse.jetty.http.HttpStatus;

/**
 * What is told of an operation: the status that it would have as a request of its own.
 *
 * @param message empty where there is nothing to say
 */
record WriteStatus(int status, String message) {
    static final WriteStatus OK = new WriteStatus(HttpStatus.OK_200, "");

    static WriteStatus of(WriteReply reply, Duration timeout) {
        return switch (reply) {
            case WriteReply.Forbidden(String reason) ->
                    new WriteStatus(HttpStatus.FORBIDDEN_403, reason);
            case WriteReply.Ignored(String reason) -> new WriteStatus(HttpStatus.OK_200, reason);
            case WriteReply.Answered(FeedReply answer) -> of(answer, timeout);
        };
    }

    private static WriteStatus of(FeedReply reply, Duration timeout) {
        return switch (reply) {
            // As for a single update of a document that there is not: nothing is wrong.
            case FeedReply.Stored _, FeedReply.Missing _ -> OK;
            case FeedReply.ConditionNotMet(boolean exists) ->
                    new WriteStatus(
                            HttpStatus.PRECONDITION_FAILED_412,
                            exists
                                    ? "the condition does not hold"
                                    : "the condition does not hold: there is no document");
            case FeedReply.Rejected(String reason) ->
                    new WriteStatus(HttpStatus.BAD_REQUEST_400, reason);
            case FeedReply.Overloaded _ ->
                    new WriteStatus(
                            HttpStatus.TOO_MANY_REQUESTS_429,
                            "overload: the content node has too much to write");
            case FeedReply.OutOfSpace(String reason) ->
                    new WriteStatus(HttpStatus.INSUFFICIENT_STORAGE_507, reason);
            case FeedReply.TimedOut() ->
                    new WriteStatus(
                            HttpStatus.GATEWAY_TIMEOUT_504,
                            "Timeout after " + timeout.toMillis() + "ms");
            case FeedReply.Failed(String reason) ->
                    new WriteStatus(HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
            case FeedReply.WrongOwner(long stateVersion) ->
                    new WriteStatus(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "no node owns the document's partition by cluster state "
                                    + stateVersion);
        };
    }
}
