package org.crabro.container.bulk;

import java.time.Duration;
import java.util.List;
import org.crabro.container.document.ReplyStatus;
import org.crabro.container.document.WriteResult;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.feed.WriteReply;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The status of an operation, the same as in a request of its own.
 *
 * @param message may be empty
 * @param isMissing whether an update found no document, and that is no error
 * @param trace the steps, if the request asks for a trace
 */
record WriteStatus(int status, String message, boolean isMissing, List<String> trace)
        implements LineOutcome {
    static final WriteStatus OK = new WriteStatus(HttpStatus.OK_200, "");

    WriteStatus {
        trace = List.copyOf(trace);
    }

    WriteStatus(int status, String message) {
        this(status, message, false, List.of());
    }

    /**
     * @param isStrict whether an update without a document gets status 404
     */
    static WriteStatus of(WriteResult result, DocumentId id, Duration timeout, boolean isStrict) {
        var context = ReplyStatus.Context.of(id, timeout, isStrict);
        ReplyStatus status = ReplyStatus.of(result, context);
        return new WriteStatus(
                status.code(), status.message(), isMissing(result) && !isStrict, List.of());
    }

    private static boolean isMissing(WriteResult result) {
        return result instanceof WriteResult.Answered(WriteReply.Missing());
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
        return new WriteStatus(HttpStatus.GATEWAY_TIMEOUT_504, ReplyStatus.timedOut(timeout));
    }

    /** Returns whether this is a success without a message. */
    boolean isPlain() {
        return status == HttpStatus.OK_200 && message.isEmpty() && trace.isEmpty();
    }

    /** Returns this with a trace. */
    WriteStatus with(List<String> notes) {
        return new WriteStatus(status, message, isMissing, notes);
    }

    /** Returns this with {@code note} as its message if it has none. */
    WriteStatus or(String note) {
        return message.isEmpty() && !note.isEmpty()
                ? new WriteStatus(status, note, isMissing, trace)
                : this;
    }
}
