package org.crabro.container.visit;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.InvalidRequestException;
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
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers operations on all documents of a selection, for as long as a request may take; the
 * answer's continuation goes on.
 */
final class SelectionHandler {
    private final VisitOrderReader orders;
    private final VisitReads reads;
    private final DocumentWrites writes;
    private final DocumentWrites copies;
    private final SelectionUpdates updates;
    private final VisitSettings settings;
    private final VisitAdmission admission;

    /**
     * @param writes of what clients send, by processors and scripts
     * @param copies of what is stored, as it is
     */
    SelectionHandler(
            VisitOrderReader orders,
            VisitReads reads,
            DocumentWrites writes,
            DocumentWrites copies,
            SelectionUpdates updates,
            VisitSettings settings,
            VisitAdmission admission) {
        this.orders = orders;
        this.reads = reads;
        this.writes = writes;
        this.copies = copies;
        this.updates = updates;
        this.settings = settings;
        this.admission = admission;
    }

    /** How a request ended. */
    private record Outcome(
            int status, long written, Optional<String> message, Optional<String> continuation) {}

    /** Removes what is selected. */
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
                request,
                response,
                callback,
                principal,
                order,
                new VisitForm.Ids(),
                writes,
                seen -> new DocumentOperation.Remove(seen.id()));
    }

    /** Updates what is selected. */
    void update(
            ArrivingRequest request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath.Range target,
            DocumentParameters parameters)
            throws IOException {
        VisitOrder order = order(request, target, parameters);
        try (SelectionUpdates.Update update = updates.read(request, target.documentType())) {
            answer(
                    request,
                    response,
                    callback,
                    principal,
                    order,
                    new VisitForm.Ids(),
                    update.writes(),
                    seen -> new DocumentOperation.Update(seen.id(), update.updates()));
        }
    }

    /**
     * Writes what is selected once more, with all of its values and a new timestamp; no script
     * runs. A document type is in one cluster, so that is where it can be copied to.
     *
     * @throws InvalidRequestException if the destination is another cluster
     */
    void copy(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        String destination = orders.destination(parameters, request.getHttpURI().getPath()).id();
        VisitOrder order = order(request, target, parameters);
        String source = parameters.text("cluster").orElse("");
        if (!destination.equals(source)) {
            throw DocumentParameters.invalid(
                    "documents cannot be copied from content cluster '%s' to '%s': a document type is in one cluster only"
                            .formatted(source, destination));
        }
        answer(
                request,
                response,
                callback,
                principal,
                order,
                new VisitForm.Documents(),
                copies,
                seen -> new DocumentOperation.Put(seen.document().orElseThrow()));
    }

    private VisitOrder order(Request request, DocumentPath target, DocumentParameters parameters) {
        return orders.bySelection(
                target, request.getHttpURI().getPath(), parameters, reads.partitions());
    }

    private void answer(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            VisitOrder order,
            VisitForm form,
            DocumentWrites through,
            Function<VisitedDocument, DocumentOperation> operations)
            throws IOException {
        var trace = new VisitTrace(order.isTraced(), request.getBeginNanoTime());
        Outcome outcome;
        try (VisitAdmission.Share _ = admission.admit(ClientName.of(principal, request), 1)) {
            outcome = outcome(request, principal, order, form, through, operations, trace);
        }
        if (outcome.status == HttpStatus.TOO_MANY_REQUESTS_429) {
            VisitAdmission.retryLater(response);
        }
        JsonReply.sendWithPath(
                request,
                response,
                callback,
                outcome.status,
                json -> {
                    json.writeNumberProperty("documentCount", outcome.written);
                    if (trace.isShown()) {
                        json.writeName("trace");
                        trace.write(json);
                    }
                    outcome.message.ifPresent(text -> json.writeStringProperty("message", text));
                    outcome.continuation.ifPresent(
                            token -> json.writeStringProperty("continuation", token));
                });
    }

    private Outcome outcome(
            Request request,
            Principal principal,
            VisitOrder order,
            VisitForm form,
            DocumentWrites through,
            Function<VisitedDocument, DocumentOperation> operations,
            VisitTrace trace)
            throws IOException {
        long begin = request.getBeginNanoTime();
        Deadline deadline = VisitHandler.deadline(request, order.working());
        var writing =
                new BySelection(
                        through,
                        principal,
                        new Deadline(begin + order.timeout().toNanos()),
                        seen ->
                                Optional.of(
                                        new ConditionalOperation(
                                                operations.apply(seen),
                                                WriteCondition.NONE.andTimestamp(seen.timestamp()),
                                                false)));
        var walk =
                new VisitWalk(
                        order.begun(),
                        new OrderedPages(
                                reads, principal, deadline, order, form, settings.pageBytes()),
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
