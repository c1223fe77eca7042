package org.crabro.container.visit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ManyDocuments;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.ClientWatch;
import org.crabro.container.visit.VisitAnswer.Ending;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitReply.Contents;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers visits of one application, and hands on operations on what is selected. Everything that
 * can be wrong with a request is told before the answer begins; it begins with the first page, so
 * that what the node says to that one decides the status.
 */
public final class VisitHandler implements ManyDocuments {
    private final VisitOrderReader orders;
    private final SelectionHandler selections;
    private final GroupsHandler groups;
    private final VisitReads reads;
    private final VisitSettings settings;
    private final VisitAdmission admission;
    private final Function<Request, Principal> principals;

    /**
     * @param writes of what clients send, by processors and scripts
     * @param copies of what is stored, as it is
     * @param principals who sent a request
     * @param timeout of requests that say none
     * @param admission shared by all applications of the process
     */
    public VisitHandler(
            ApplicationModel model,
            VisitReads reads,
            DocumentWrites writes,
            DocumentWrites copies,
            SelectionUpdates updates,
            GroupRemovals removals,
            Function<Request, Principal> principals,
            Duration timeout,
            VisitSettings settings,
            VisitAdmission admission) {
        this.orders = new VisitOrderReader(model, timeout);
        this.selections =
                new SelectionHandler(orders, reads, writes, copies, updates, settings, admission);
        this.groups = new GroupsHandler(orders, reads, removals, settings, admission);
        this.reads = reads;
        this.principals = principals;
        this.settings = settings;
        this.admission = admission;
    }

    @Override
    public void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        String rawPath = request.getHttpURI().getPath();
        Principal principal = principals.apply(request);
        if (target instanceof DocumentPath.Groups named) {
            groups.list(request, response, callback, principal, named, parameters);
            return;
        }
        switch (request.getMethod()) {
            case "GET" -> {
                VisitOrder order =
                        orders.visit(
                                target,
                                rawPath,
                                parameters,
                                request.getHeaders().getValuesList(HttpHeader.ACCEPT),
                                reads.partitions());
                visit(request, response, rawPath, principal, order);
                callback.succeeded();
            }
            case "DELETE" -> {
                if (GroupsHandler.isAsked(parameters)) {
                    groups.remove(request, response, callback, principal, target, parameters);
                } else {
                    selections.remove(request, response, callback, principal, target, parameters);
                }
            }
            case "POST" ->
                    selections.copy(request, response, callback, principal, target, parameters);
            case "PUT" -> {
                if (!(target instanceof DocumentPath.Range range)) {
                    throw new IllegalStateException("an update of all types at " + rawPath);
                }
                selections.update(request, response, callback, principal, range, parameters);
            }
            default -> throw new IllegalStateException(request.getMethod() + " at " + rawPath);
        }
    }

    /** Returns the deadline of pages, which are of no use when the client has left. */
    static Deadline deadline(Request request, Duration working) {
        long end = request.getBeginNanoTime() + working.toNanos();
        boolean hasBody =
                request.getLength() > 0
                        || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        return hasBody ? new Deadline(end) : new Deadline(end, ClientWatch.of(request));
    }

    private void visit(
            Request request,
            Response response,
            String rawPath,
            Principal principal,
            VisitOrder order)
            throws IOException {
        int ranges =
                Math.clamp(
                        order.begun().plan().partitions().size(),
                        1,
                        Math.min(order.concurrency(), settings.maxRangesOfClient()));
        Deadline deadline = deadline(request, order.working());
        var trace = new VisitTrace(order.isTraced(), request.getBeginNanoTime());
        // What is not a stream is small: while it is held, a failure is told by the status.
        int heldMax = order.isStream() ? 0 : settings.pageBytes();
        AcceptedForm accepted = order.answer();
        var answer =
                accepted.isLines()
                        ? new LinesAnswer(response, accepted.isCbor(), trace, heldMax)
                        : new ListAnswer(response, accepted.isCbor(), rawPath, trace, heldMax);
        var form =
                new VisitForm.Json(
                        accepted.isLines() ? VisitForm.Style.LINES : VisitForm.Style.LIST,
                        order.tensors(),
                        order.withTimestamps(),
                        order.withEmpties());
        var pages =
                new HeldPages(
                        new OrderedPages(
                                reads, principal, deadline, order, form, settings.pageBytes()),
                        admission);
        var walk =
                new VisitWalk(
                        order.begun(),
                        pages,
                        deadline,
                        ranges,
                        order.wanted(),
                        settings.pageDocuments());
        VisitWalk.End end;
        // Closed before the answer ends: who waits for that may ask for the next part at once.
        try (VisitAdmission.Share _ = admission.admit(ClientName.of(principal, request), ranges);
                pages) {
            end =
                    walk.run(page -> {
                        take(page, walk, answer, trace);
                        pages.taken(page);
                    });
        }
        end(end, walk, answer, order, response, rawPath, trace);
    }

    private static void take(
            VisitReply.Page page, VisitWalk walk, VisitAnswer answer, VisitTrace trace)
            throws IOException {
        ByteBuffer text = text(page);
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

    private static void end(
            VisitWalk.End end,
            VisitWalk walk,
            VisitAnswer answer,
            VisitOrder order,
            Response response,
            String rawPath,
            VisitTrace trace)
            throws IOException {
        switch (end) {
            case VisitWalk.End.Complete() ->
                    answer.end(
                            HttpStatus.OK_200,
                            new Ending(Optional.empty(), false, Optional.empty(), 100));
            case VisitWalk.End.Enough() ->
                    answer.end(HttpStatus.OK_200, unfinished(walk, Optional.empty(), false));
            case VisitWalk.End.TimedOut() -> {
                if (answer.isBegun()) {
                    answer.end(HttpStatus.OK_200, unfinished(walk, Optional.empty(), false));
                    return;
                }
                String message =
                        "No buckets visited within %d ms: the continuation or a longer timeout goes on"
                                .formatted(order.timeout().toMillis());
                if (order.isStream()) {
                    answer.end(HttpStatus.OK_200, unfinished(walk, Optional.of(message), false));
                } else {
                    fail(HttpStatus.GATEWAY_TIMEOUT_504, message, order, response, rawPath, trace);
                }
            }
            case VisitWalk.End.Broken(int status, String message) -> {
                if (answer.isSent()) {
                    answer.end(HttpStatus.OK_200, unfinished(walk, Optional.of(message), true));
                } else if (answer.isBegun() && status >= HttpStatus.INTERNAL_SERVER_ERROR_500) {
                    // Lines without a token would say that these are all.
                    answer.end(
                            status,
                            order.answer().isLines()
                                    ? unfinished(walk, Optional.of(message), true)
                                    : new Ending(Optional.of(message), true, Optional.empty(), 0));
                } else if (status == HttpStatus.TOO_MANY_REQUESTS_429) {
                    VisitAdmission.retryLater(response);
                    throw new InvalidRequestException(status, message);
                } else if (status < HttpStatus.INTERNAL_SERVER_ERROR_500) {
                    throw new InvalidRequestException(status, message);
                } else {
                    fail(status, message, order, response, rawPath, trace);
                }
            }
        }
    }

    private static void fail(
            int status,
            String message,
            VisitOrder order,
            Response response,
            String rawPath,
            VisitTrace trace)
            throws IOException {
        new ListAnswer(response, order.answer().isCbor(), rawPath, trace, 0)
                .end(status, new Ending(Optional.of(message), true, Optional.empty(), 0));
    }

    private static Ending unfinished(VisitWalk walk, Optional<String> message, boolean isFailure) {
        return new Ending(
                message,
                isFailure,
                Optional.of(walk.continuation().token()),
                walk.percentFinished());
    }
}
