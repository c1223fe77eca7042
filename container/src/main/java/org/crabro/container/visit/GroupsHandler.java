package org.crabro.container.visit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ReplyStatus;
import org.crabro.container.document.WriteResult;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.JsonReply;
import org.crabro.container.route.CopyReplies;
import org.crabro.document.LocationKey;
import org.crabro.document.select.Selection;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitForm.GroupKind;
import org.crabro.protocol.visit.VisitReply.Contents;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedGroup;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;

/** Lists the groups of a document type with their sizes, and removes whole groups. */
final class GroupsHandler {
    /**
     * Returns whether the request removes a whole group. A parameter says so, so that a path
     * without its last part removes none by mistake.
     */
    static boolean isAsked(DocumentParameters parameters) {
        return parameters.flag("wholeGroup");
    }

    private final VisitOrderReader orders;
    private final Function<String, VisitBackend> backends;
    private final VisitSettings settings;
    private final VisitAdmission admission;

    GroupsHandler(
            VisitOrderReader orders,
            Function<String, VisitBackend> backends,
            VisitSettings settings,
            VisitAdmission admission) {
        this.orders = orders;
        this.backends = backends;
        this.settings = settings;
        this.admission = admission;
    }

    /** Lists groups. */
    void list(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath.Groups target,
            DocumentParameters parameters)
            throws IOException {
        String rawPath = request.getHttpURI().getPath();
        VisitOrder order = orders.groups(target, rawPath, parameters);
        Deadline deadline = VisitHandler.deadline(request, order.limits().working());
        var trace = new VisitTrace(order.isTraced(), request.getBeginNanoTime());
        var form = new VisitForm.Groups(target.areNumbers() ? GroupKind.NUMBERED : GroupKind.NAMED);
        var walk =
                new VisitWalk(
                        order.begun(),
                        new OrderedPages(
                                backends.apply(order.cluster()).reads(),
                                principal,
                                deadline,
                                order,
                                form,
                                settings.pageBytes()),
                        deadline,
                        1,
                        order.limits().wanted(),
                        settings.pageDocuments());
        var groups = new ArrayList<VisitedGroup>();
        VisitWalk.End end;
        try (VisitAdmission.Share _ = admission.admit(ClientName.of(principal, request), 1)) {
            end =
                    walk.run(page -> {
                        if (!(page.contents() instanceof Contents.Groups(var visited))) {
                            throw new IllegalStateException(
                                    "a node answered without groups where they were asked for");
                        }
                        groups.addAll(visited);
                        trace.note(() -> "a page of %d groups".formatted(visited.size()));
                    });
        }
        switch (end) {
            case VisitWalk.End.Complete() ->
                    answer(request, response, callback, groups, trace, Optional.empty());
            case VisitWalk.End.Enough() ->
                    answer(request, response, callback, groups, trace, token(walk));
            case VisitWalk.End.TimedOut() -> {
                if (groups.isEmpty()) {
                    throw new InvalidRequestException(
                            HttpStatus.GATEWAY_TIMEOUT_504,
                            "no group was counted within %d ms"
                                    .formatted(order.limits().timeout().toMillis()));
                }
                answer(request, response, callback, groups, trace, token(walk));
            }
            case VisitWalk.End.Broken(int status, String message) -> {
                if (status == HttpStatus.TOO_MANY_REQUESTS_429
                        || status == HttpStatus.SERVICE_UNAVAILABLE_503) {
                    VisitAdmission.retryLater(response);
                }
                throw new InvalidRequestException(status, message);
            }
        }
    }

    private static Optional<String> token(VisitWalk walk) {
        return Optional.of(walk.continuation().token());
    }

    private static void answer(
            Request request,
            Response response,
            Callback callback,
            List<VisitedGroup> groups,
            VisitTrace trace,
            Optional<String> continuation) {
        JsonReply.sendWithPath(
                request,
                response,
                callback,
                HttpStatus.OK_200,
                json -> {
                    json.writeArrayPropertyStart("groups");
                    groups.forEach(group -> write(json, group));
                    json.writeEndArray();
                    json.writeNumberProperty("groupCount", groups.size());
                    if (trace.isShown()) {
                        json.writeName("trace");
                        trace.write(json);
                    }
                    continuation.ifPresent(
                            token -> json.writeStringProperty("continuation", token));
                });
    }

    private static void write(JsonGenerator json, VisitedGroup group) {
        json.writeStartObject();
        switch (group.key()) {
            case LocationKey.Group(var name) -> json.writeStringProperty("group", name);
            // As text, because many JSON parsers round numbers above 2^53.
            case LocationKey.Numbered(var number) ->
                    json.writeStringProperty("number", Long.toUnsignedString(number));
            case LocationKey.Plain() -> throw new IllegalStateException("no group");
        }
        json.writeNumberProperty("documentCount", group.documents());
        json.writeNumberProperty("bytes", group.bytes());
        json.writeEndObject();
    }

    /** Removes a whole group. */
    void remove(
            Request request,
            Response response,
            Callback callback,
            Principal principal,
            DocumentPath target,
            DocumentParameters parameters) {
        String rawPath = request.getHttpURI().getPath();
        if (!(target instanceof DocumentPath.Range range)
                || range.key() instanceof LocationKey.Plain) {
            throw DocumentParameters.invalid(
                    "may not specify 'wholeGroup' at '%s', which names no group"
                            .formatted(rawPath));
        }
        VisitOrderReader.Removal removal = orders.wholeGroup(range, rawPath, parameters);
        var deadline = new Deadline(request.getBeginNanoTime() + removal.working().toNanos());
        if (!parameters.flag("allNamespaces")) {
            for (String cluster : removal.clusters()) {
                refuseOthers(principal, deadline, range, removal, backends.apply(cluster).reads());
            }
        }
        WriteResult result = removed(principal, deadline, range, removal.clusters());
        switch (result) {
            case WriteResult.Answered(WriteReply.Stored _) ->
                    JsonReply.sendWithPath(request, response, callback, HttpStatus.OK_200, _ -> {});
            case WriteResult.Ignored(String reason) -> refuse(HttpStatus.BAD_REQUEST_400, reason);
            case WriteResult.Answered _, WriteResult.Forbidden _, WriteResult.Partly _ -> {
                ReplyStatus status = ReplyStatus.of(result, ReplyStatus.Context.ofMany());
                if (HttpStatus.isSuccess(status.code())) {
                    throw new IllegalStateException(
                            "unexpected reply to the removal of a group: " + result);
                }
                status.retryAfter()
                        .ifPresent(pause ->
                                response.getHeaders()
                                        .put(HttpHeader.RETRY_AFTER, ReplyStatus.seconds(pause)));
                refuse(status.code(), status.message());
            }
        }
    }

    /** Removes a group from each cluster, up to the first that fails. */
    private WriteResult removed(
            Principal principal,
            Deadline deadline,
            DocumentPath.Range range,
            List<String> clusters) {
        if (clusters.size() == 1) {
            return remove(principal, deadline, range, clusters.getFirst());
        }
        var replies = new CopyReplies();
        for (String cluster : clusters) {
            if (!replies.add(cluster, remove(principal, deadline, range, cluster))) {
                break;
            }
        }
        return replies.result().orElseThrow();
    }

    private WriteResult remove(
            Principal principal, Deadline deadline, DocumentPath.Range range, String cluster) {
        return backends.apply(cluster)
                .removals()
                .remove(principal, deadline, range.documentType(), range.key());
    }

    private static void refuse(int status, String reason) {
        throw new InvalidRequestException(status, reason);
    }

    /**
     * Rejects the removal of a group with documents of other namespaces than that of the path. Does
     * not detect documents that are written during the check.
     */
    private void refuseOthers(
            Principal principal,
            Deadline deadline,
            DocumentPath.Range range,
            VisitOrderReader.Removal removal,
            VisitReads reads) {
        Selection others = removal.others();
        var walk =
                new VisitWalk(
                        new Continuation(
                                VisitPlan.of(others.places(), reads.partitions(), reads.parts()),
                                VisitSlice.ALL,
                                0,
                                List.of()),
                        (partition, after, documentsMax) ->
                                reads.read(
                                        principal,
                                        deadline,
                                        others.places(),
                                        header ->
                                                new VisitRequest(
                                                        header,
                                                        VisitScope.ofAll(
                                                                partition,
                                                                others.toString(),
                                                                after),
                                                        Map.of(range.documentType(), List.of()),
                                                        false,
                                                        new VisitForm.Ids(),
                                                        new PageLimits(
                                                                documentsMax,
                                                                settings.pageBytes()))),
                        deadline,
                        1,
                        1,
                        1);
        VisitWalk.End end;
        var foreign = new ArrayList<String>();
        try {
            end =
                    walk.run(page -> {
                        if (page.contents() instanceof Contents.Documents(var documents)) {
                            documents.forEach(each -> foreign.add(each.id().toString()));
                        }
                    });
        } catch (IOException e) {
            throw new IllegalStateException("the look at a group was interrupted", e);
        }
        if (!foreign.isEmpty()) {
            throw DocumentParameters.invalid(
                    "group '%s' has documents of other namespaces than '%s', such as %s; with %s=true they are removed too"
                            .formatted(
                                    range.key().text(),
                                    range.namespace(),
                                    foreign.getFirst(),
                                    "allNamespaces"));
        }
        switch (end) {
            case VisitWalk.End.Complete(), VisitWalk.End.Enough() -> {}
            case VisitWalk.End.TimedOut() ->
                    refuse(
                            HttpStatus.GATEWAY_TIMEOUT_504,
                            "the timeout was reached before the group was visited");
            case VisitWalk.End.Broken(int status, String message) -> refuse(status, message);
        }
    }
}
