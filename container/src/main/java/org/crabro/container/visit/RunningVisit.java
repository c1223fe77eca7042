package org.crabro.container.visit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.visit.VisitAnswer.Ending;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitReply.Contents;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;

/**
 * A visit whose pages are written to its client.
 *
 * @param rawPath the path of the request as it came
 */
record RunningVisit(
        VisitOrder order,
        VisitWalk walk,
        VisitAnswer answer,
        Response response,
        String rawPath,
        VisitTrace trace) {
    /** Writes a page. */
    void take(VisitReply.Page page) throws IOException {
        VisitOrder.Format format = order.format();
        ByteBuffer text = format.values().times().shown(text(page), format.accepted().style());
        trace.note(() -> noted(page, text));
        answer.page(text, page.count(), walk.continuation().token(), walk.percentFinished());
    }

    private static ByteBuffer text(VisitReply.Page page) {
        if (page.contents() instanceof Contents.Json(ByteBuffer text)) {
            return text;
        }
        throw new IllegalStateException("a node answered with values where JSON was asked for");
    }

    private static String noted(VisitReply.Page page, ByteBuffer text) {
        return "a page of %d documents, %d bytes%s"
                .formatted(
                        page.count(),
                        text.remaining(),
                        page.last().isPresent() ? "" : ", the last of its partition");
    }

    /** Ends the answer, as the visit ended. */
    void end(VisitWalk.End end) throws IOException {
        switch (end) {
            case VisitWalk.End.Complete() ->
                    answer.end(
                            HttpStatus.OK_200,
                            new Ending(Optional.empty(), false, Optional.empty(), 100));
            case VisitWalk.End.Enough() ->
                    answer.end(HttpStatus.OK_200, unfinished(Optional.empty(), false));
            case VisitWalk.End.TimedOut() -> {
                if (answer.isBegun()) {
                    answer.end(HttpStatus.OK_200, unfinished(Optional.empty(), false));
                    return;
                }
                String message =
                        "No buckets visited within %d ms: the continuation or a longer timeout goes on"
                                .formatted(order.limits().timeout().toMillis());
                if (order.format().isStream()) {
                    answer.end(HttpStatus.OK_200, unfinished(Optional.of(message), false));
                } else {
                    fail(HttpStatus.GATEWAY_TIMEOUT_504, message);
                }
            }
            case VisitWalk.End.Broken(int status, String message) -> {
                if (answer.isSent()) {
                    answer.end(HttpStatus.OK_200, unfinished(Optional.of(message), true));
                } else if (answer.isBegun() && status >= HttpStatus.INTERNAL_SERVER_ERROR_500) {
                    // Lines without a token would mean that the visit is complete.
                    answer.end(
                            status,
                            order.format().accepted().isLines()
                                    ? unfinished(Optional.of(message), true)
                                    : new Ending(Optional.of(message), true, Optional.empty(), 0));
                } else if (status == HttpStatus.TOO_MANY_REQUESTS_429) {
                    VisitAdmission.retryLater(response);
                    throw new InvalidRequestException(status, message);
                } else if (status < HttpStatus.INTERNAL_SERVER_ERROR_500) {
                    throw new InvalidRequestException(status, message);
                } else {
                    fail(status, message);
                }
            }
        }
    }

    private void fail(int status, String message) throws IOException {
        if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
            VisitAdmission.retryLater(response);
        }
        new ListAnswer(response, order.format().accepted().isCbor(), rawPath, trace, 0)
                .end(status, new Ending(Optional.of(message), true, Optional.empty(), 0));
    }

    private Ending unfinished(Optional<String> message, boolean isFailure) {
        return new Ending(
                message,
                isFailure,
                Optional.of(walk.continuation().token()),
                walk.percentFinished());
    }
}
