package org.crabro.container.visit;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.config.services.ContentCluster;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.JsonReply;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.text.Excerpt;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers operations on all documents of a selection, up to the time limit of a request. The client
 * continues with the continuation of the answer.
 */
final class SelectionHandler {
    private final VisitOrderReader orders;
    private final Function<String, VisitBackend> backends;
    private final VisitSettings settings;
    private final VisitAdmission admission;

    SelectionHandler(
            VisitOrderReader orders,
            Function<String, VisitBackend> backends,
            VisitSettings settings,
            VisitAdmission admission) {
        this.orders = orders;
        this.backends = backends;
        this.settings = settings;
        this.admission = admission;
    }

    /**
     * The change of each selected document.
     *
     * @param form the form in which documents are read
     * @param writes carries out the operations
     * @param operation makes the operation on a document
     */
    private record Change(
            VisitForm form,
            DocumentWrites writes,
            Function<VisitedDocument, DocumentOperation> operation) {}

    /** A request, its answer, and its sender. */
    private record Exchange(
            Request request, Response response, Callback callback, Principal principal) {}

    /** The result of a request. */
    private record Outcome(
            int status, long written, Optional<String> message, Optional<String> continuation) {}

    /** Removes the selected documents. */
    void remove(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        VisitOrder order = order(request, target, parameters);
        answer(
                new Exchange(request, response, callback, principal),
                order,
                new Change(
                        new VisitForm.Ids(),
                        backend(order).writes(),
                        seen -> new DocumentOperation.Remove(seen.id())));
    }

    /** Updates the selected documents. */
    void update(
            ArrivingRequest request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath.Range target,
            DocumentParameters parameters)
            throws IOException {
        VisitOrder order = order(request, target, parameters);
        try (SelectionUpdates.Update update =
                backend(order).updates().read(request, target.documentType())) {
            answer(
                    new Exchange(request, response, callback, principal),
                    order,
                    new Change(
                            new VisitForm.Ids(),
                            update.writes(),
                            seen -> new DocumentOperation.Update(seen.id(), update.updates())));
        }
    }

    /**
     * Writes the selected documents of a cluster to another or the same one, with all of their
     * values and a new timestamp. No script runs.
     *
     * @throws InvalidRequestException if the destination does not store the types
     */
    void copy(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        ContentCluster destination = orders.destination(parameters, request.getHttpURI().getPath());
        VisitOrder order = order(request, target, parameters);
        for (String type : order.format().fields().keySet()) {
            if (destination.documents().stream().noneMatch(each -> each.type().equals(type))) {
                throw ServedTypes.unknownType(type, destination);
            }
        }
        answer(
                new Exchange(request, response, callback, principal),
                order,
                new Change(
                        new VisitForm.Documents(),
                        backend(order).copies().to(destination.id()),
                        seen -> new DocumentOperation.Put(seen.document().orElseThrow())));
    }

    private VisitOrder order(Request request, DocumentPath target, DocumentParameters parameters) {
        return orders.bySelection(target, request.getHttpURI().getPath(), parameters);
    }

    private VisitBackend backend(VisitOrder order) {
        return backends.apply(order.cluster());
    }

    private void answer(Exchange exchange, VisitOrder order, Change change) throws IOException {
        Request request = exchange.request;
        var trace = new VisitTrace(order.isTraced(), request.getBeginNanoTime());
        Outcome outcome;
        try (VisitAdmission.Share _ =
                admission.admit(ClientName.of(exchange.principal, request), 1)) {
            outcome = outcome(exchange, order, change, trace);
        }
        if (outcome.status == HttpStatus.TOO_MANY_REQUESTS_429
                || outcome.status == HttpStatus.SERVICE_UNAVAILABLE_503) {
            VisitAdmission.retryLater(exchange.response);
        }
        JsonReply.sendWithPath(
                request,
                exchange.response,
                exchange.callback,
                outcome.status,
                json -> {
                    json.writeNumberProperty("documentCount", outcome.written);
                    if (trace.isShown()) {
                        json.writeName("trace");
                        trace.write(json);
                    }
                    outcome.message.ifPresent(
                            text -> json.writeStringProperty("message", Excerpt.message(text)));
                    outcome.continuation.ifPresent(
                            token -> json.writeStringProperty("continuation", token));
                });
    }

    private Outcome outcome(Exchange exchange, VisitOrder order, Change change, VisitTrace trace)
            throws IOException {
        long begin = exchange.request.getBeginNanoTime();
        Deadline deadline = VisitHandler.deadline(exchange.request, order.limits().working());
        var writing =
                new BySelection(
                        change.writes,
                        exchange.principal,
                        new Deadline(begin + order.limits().timeout().toNanos()),
                        seen ->
                                Optional.of(
                                        new ConditionalOperation(
                                                change.operation.apply(seen),
                                                WriteCondition.NONE.andTimestamp(seen.timestamp()),
                                                false)));
        var walk =
                new VisitWalk(
                        order.begun(),
                        new OrderedPages(
                                backend(order).reads(),
                                exchange.principal,
                                deadline,
                                order,
                                change.form,
                                settings.pageBytes()),
                        deadline,
                        1,
                        Long.MAX_VALUE,
                        BySelection.PAGE_DOCUMENTS);
        try {
            VisitWalk.End end =
                    walk.run(page -> {
                        writing.take(page);
                        trace.note(() ->
                                "%d documents seen, %d changed up to here"
                                        .formatted(page.count(), writing.written()));
                    });
            return switch (end) {
                case VisitWalk.End.Complete() ->
                        new Outcome(
                                HttpStatus.OK_200,
                                writing.written(),
                                Optional.empty(),
                                Optional.empty());
                case VisitWalk.End.Enough(), VisitWalk.End.TimedOut() ->
                        new Outcome(
                                HttpStatus.OK_200,
                                writing.written(),
                                Optional.empty(),
                                Optional.of(walk.continuation().token()));
                case VisitWalk.End.Broken(int status, String message) ->
                        new Outcome(
                                status, writing.written(), Optional.of(message), Optional.empty());
            };
        } catch (BySelection.NotWrittenException e) {
            return new Outcome(
                    e.status(),
                    writing.written(),
                    Optional.of(String.valueOf(e.getMessage())),
                    Optional.empty());
        }
    }
}
