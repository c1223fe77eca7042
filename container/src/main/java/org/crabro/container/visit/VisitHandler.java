package org.crabro.container.visit;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.ManyDocuments;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.ClientWatch;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers visits of one application, and passes on operations on selections. An invalid request is
 * rejected before the answer begins. The answer begins with the first page, so the reply of the
 * node to that page decides the status.
 */
public final class VisitHandler implements ManyDocuments {
    private final VisitOrderReader orders;
    private final SelectionHandler selections;
    private final GroupsHandler groups;
    private final Function<String, VisitBackend> backends;
    private final VisitSettings settings;
    private final VisitAdmission admission;
    private final Function<Request, Principal> principals;

    /**
     * @param backends returns the operations on each content cluster of the application
     * @param principals returns the sender of a request
     * @param timeout of requests that name none
     * @param admission shared by all applications of the process
     */
    public VisitHandler(
            ApplicationModel model,
            Function<String, VisitBackend> backends,
            Function<Request, Principal> principals,
            Duration timeout,
            VisitSettings settings,
            VisitAdmission admission) {
        this.orders =
                new VisitOrderReader(model, timeout, cluster -> backends.apply(cluster).reads());
        this.selections = new SelectionHandler(orders, backends, settings, admission);
        this.groups = new GroupsHandler(orders, backends, settings, admission);
        this.backends = backends;
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
                                request.getHeaders().getValuesList(HttpHeader.ACCEPT));
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

    /** Returns the deadline of pages. It also passes when the client disconnects. */
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
                        Math.min(order.limits().concurrency(), settings.maxRangesOfClient()));
        Deadline deadline = deadline(request, order.limits().working());
        var trace = new VisitTrace(order.isTraced(), request.getBeginNanoTime());
        VisitOrder.Format format = order.format();
        // An answer that is not a stream is small and held back, so that a failure can set the
        // status.
        int heldMax = format.isStream() ? 0 : settings.pageBytes();
        AcceptedForm accepted = format.accepted();
        var answer =
                accepted.isLines()
                        ? new LinesAnswer(response, accepted.isCbor(), trace, heldMax)
                        : new ListAnswer(response, accepted.isCbor(), rawPath, trace, heldMax);
        var form =
                new VisitForm.Json(
                        accepted.style(),
                        format.values().tensors(),
                        format.withTimestamps(),
                        format.withEmpties());
        var pages =
                new HeldPages(
                        new OrderedPages(
                                backends.apply(order.cluster()).reads(),
                                principal,
                                deadline,
                                order,
                                form,
                                settings.pageBytes()),
                        admission);
        var walk =
                new VisitWalk(
                        order.begun(),
                        pages,
                        deadline,
                        ranges,
                        order.limits().wanted(),
                        settings.pageDocuments());
        var running = new RunningVisit(order, walk, answer, response, rawPath, trace);
        VisitWalk.End end;
        // Closed before the answer ends, because the client may send the next request at once.
        try (VisitAdmission.Share _ = admission.admit(ClientName.of(principal, request), ranges);
                pages) {
            end =
                    walk.run(page -> {
                        running.take(page);
                        pages.taken(page);
                    });
        }
        running.end(end);
    }
}
