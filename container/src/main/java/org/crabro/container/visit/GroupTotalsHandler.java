package org.crabro.container.visit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.crabro.config.application.NearestName;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.document.LocationKey;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
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
import org.crabro.protocol.wire.Principal.Groups;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;

/**
 * Answers {@code GET /crabro/v1/groups}: the number of documents of each type, and its largest
 * groups. A principal with some groups sees these groups alone. Passes other requests to the next
 * handler.
 */
public final class GroupTotalsHandler extends Handler.Abstract {
    private static final String TYPE = "type";
    private static final String GROUP = "group";
    private static final String LIMIT = "limit";

    public static final String PATH = "/crabro/v1/groups";

    private static final long DEFAULT_LIMIT = 10;
    private static final long MAX_LIMIT = 1_000;

    /** The time for reading keys. Afterwards, the answer has the counts up to there. */
    private static final Duration WORKING = Duration.ofSeconds(10);

    private final ApplicationModel model;
    private final VisitedTypes types;
    private final Function<String, VisitReads> reads;
    private final Function<Request, Principal> principals;
    private final VisitSettings settings;
    private final VisitAdmission admission;

    /**
     * @param reads returns the reads of a content cluster
     * @param principals returns the sender of a request
     * @param admission shared with the visits of the process
     */
    public GroupTotalsHandler(
            ApplicationModel model,
            Function<String, VisitReads> reads,
            Function<Request, Principal> principals,
            VisitSettings settings,
            VisitAdmission admission) {
        this.model = model;
        this.types = new VisitedTypes(model);
        this.reads = reads;
        this.principals = principals;
        this.settings = settings;
        this.admission = admission;
    }

    /**
     * What a request asks for.
     *
     * @param type counts this type alone
     * @param group counts this group alone
     * @param limit groups to name
     */
    private record Wanted(Optional<String> type, Optional<String> group, int limit) {
        static Wanted of(DocumentParameters parameters) {
            long limit =
                    parameters
                            .text(LIMIT)
                            .map(text -> VisitOrderReader.whole(LIMIT, text, 0, MAX_LIMIT))
                            .orElse(DEFAULT_LIMIT);
            return new Wanted(parameters.text(TYPE), parameters.text(GROUP), (int) limit);
        }
    }

    /** The counts of a document type in a content cluster. */
    private record TypeTotals(ContentCluster cluster, ClusterDocument type, GroupTotals totals) {}

    /** Who reads, and until when. */
    private record Reader(Principal principal, Deadline deadline) {}

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!RequestPath.of(request).text().equals(PATH)) {
            return false;
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            JsonReply.sendProblem(
                    request,
                    response,
                    callback,
                    HttpStatus.METHOD_NOT_ALLOWED_405,
                    "expected GET or HEAD but found " + request.getMethod());
            return true;
        }
        try {
            answer(request, response, callback);
        } catch (InvalidRequestException e) {
            if (e.status() == HttpStatus.TOO_MANY_REQUESTS_429
                    || e.status() == HttpStatus.SERVICE_UNAVAILABLE_503) {
                VisitAdmission.retryLater(response);
            }
            JsonReply.sendProblem(
                    request, response, callback, e.status(), String.valueOf(e.getMessage()));
        }
        return true;
    }

    private void answer(Request request, Response response, Callback callback) {
        Wanted wanted = Wanted.of(DocumentParameters.of(request));
        List<TypeTotals> all = wantedTypes(wanted);
        Principal principal = principals.apply(request);
        var reader = new Reader(principal, VisitHandler.deadline(request, WORKING));
        var isComplete = true;
        Optional<String> nearest = Optional.empty();
        try (VisitAdmission.Share _ = admission.admit(ClientName.of(principal, request), 1)) {
            for (TypeTotals each : all) {
                isComplete &= count(each, reader, wanted.group(), each.totals()::add);
            }
            if (wanted.group().isPresent()
                    && all.stream().allMatch(each -> each.totals().documents() == 0)) {
                nearest = nearest(all, wanted.group().get(), reader);
            }
        }
        byte[] body = body(all, nearest, isComplete);
        JsonReply.send(response, callback, HttpStatus.OK_200, body);
    }

    private List<TypeTotals> wantedTypes(Wanted wanted) {
        var all = new ArrayList<TypeTotals>();
        var names = new TreeSet<String>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument each : cluster.documents()) {
                names.add(each.type());
                if (wanted.type().isEmpty() || wanted.type().get().equals(each.type())) {
                    all.add(new TypeTotals(cluster, each, new GroupTotals(wanted.limit())));
                }
            }
        }
        if (all.isEmpty() && wanted.type().isPresent()) {
            String type = wanted.type().get();
            throw DocumentParameters.invalid(
                    "there is no document type '%s'%s"
                            .formatted(type, NearestName.hint(type, names)));
        }
        return all;
    }

    /**
     * Passes the groups of a type to a sink, and the documents without a group.
     *
     * @param group this group alone
     * @return whether everything was read
     */
    private boolean count(
            TypeTotals type, Reader reader, Optional<String> group, Consumer<VisitedGroup> sink) {
        SelectionTypes selectable = types.selectable(type.cluster());
        Optional<Set<String>> names = names(group, reader.principal());
        var isComplete = true;
        if (names.isEmpty()) {
            Selection everything = Selection.parse("", selectable);
            for (GroupKind kind : GroupKind.values()) {
                isComplete &= walk(type, reader, everything, kind, sink);
            }
            return isComplete;
        }
        for (String name : names.get()) {
            Selection selection = VisitedSelection.ofGroup(name, selectable);
            isComplete &= walk(type, reader, selection, GroupKind.NAMED, sink);
        }
        return isComplete;
    }

    /** Returns the names of the groups to count; empty for all documents. */
    private static Optional<Set<String>> names(Optional<String> group, Principal principal) {
        return switch (principal.groups()) {
            case Groups.Every() -> group.map(Set::of);
            case Groups.Only(var names) -> {
                var readable = new TreeSet<>(names);
                group.ifPresent(name -> readable.removeIf(each -> !each.equals(name)));
                yield Optional.of(readable);
            }
        };
    }

    /** Returns the name that is most similar to that of a group without documents. */
    private Optional<String> nearest(List<TypeTotals> all, String group, Reader reader) {
        var nearest = new AtomicReference<>(Optional.<String>empty());
        for (TypeTotals each : all) {
            // A time-out leaves out some names only.
            boolean _ =
                    count(
                            each,
                            reader,
                            Optional.empty(),
                            seen -> {
                                if (seen.key() instanceof LocationKey.Group(var name)) {
                                    nearest.set(
                                            NearestName.of(
                                                    group,
                                                    Stream.concat(
                                                                    nearest.get().stream(),
                                                                    Stream.of(name))
                                                            .toList()));
                                }
                            });
        }
        return nearest.get();
    }

    /** Passes the groups of a selection to a sink. Returns whether all were read. */
    private boolean walk(
            TypeTotals type,
            Reader reader,
            Selection selection,
            GroupKind kind,
            Consumer<VisitedGroup> sink) {
        VisitReads pages = reads.apply(type.cluster().id());
        var walk =
                new VisitWalk(
                        new Continuation(
                                VisitPlan.of(selection.places(), pages.partitions(), pages.parts()),
                                VisitSlice.ALL,
                                0,
                                List.of()),
                        (partition, after, groupsMax) ->
                                pages.read(
                                        reader.principal(),
                                        reader.deadline(),
                                        selection.places(),
                                        header ->
                                                new VisitRequest(
                                                        header,
                                                        VisitScope.ofAll(
                                                                partition,
                                                                selection.toString(),
                                                                after),
                                                        Map.of(type.type().type(), List.of()),
                                                        false,
                                                        new VisitForm.Groups(kind),
                                                        new PageLimits(
                                                                groupsMax, settings.pageBytes()))),
                        reader.deadline(),
                        1,
                        Long.MAX_VALUE,
                        settings.pageDocuments());
        VisitWalk.End end;
        try {
            end =
                    walk.run(page -> {
                        if (!(page.contents() instanceof Contents.Groups(var visited))) {
                            throw new IllegalStateException(
                                    "a node answered without groups where they were asked for");
                        }
                        visited.forEach(sink);
                    });
        } catch (IOException e) {
            throw new IllegalStateException("the count of groups was interrupted", e);
        }
        return switch (end) {
            case VisitWalk.End.Complete(), VisitWalk.End.Enough() -> true;
            case VisitWalk.End.TimedOut() -> false;
            case VisitWalk.End.Broken(int status, String message) ->
                    throw new InvalidRequestException(status, message);
        };
    }

    private static byte[] body(List<TypeTotals> all, Optional<String> nearest, boolean isComplete) {
        return JsonReply.bytes(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("types");
            all.forEach(each -> write(json, each));
            json.writeEndArray();
            nearest.ifPresent(name -> json.writeStringProperty("nearest", name));
            if (!isComplete) {
                json.writeBooleanProperty("complete", false);
            }
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, TypeTotals each) {
        json.writeStartObject();
        json.writeStringProperty("type", each.type().type());
        json.writeStringProperty("cluster", each.cluster().id());
        json.writeStringProperty(
                "mode", each.type().mode().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.writeNumberProperty("documents", each.totals().documents());
        json.writeNumberProperty("groupCount", each.totals().groupCount());
        json.writeArrayPropertyStart("groups");
        each.totals()
                .largest()
                .forEach(group -> {
                    json.writeStartObject();
                    switch (group.key()) {
                        case LocationKey.Group(var name) -> json.writeStringProperty("group", name);
                        // As text, because many JSON parsers round numbers above 2^53.
                        case LocationKey.Numbered(var number) ->
                                json.writeStringProperty("number", Long.toUnsignedString(number));
                        case LocationKey.Plain() -> throw new IllegalStateException("no group");
                    }
                    json.writeNumberProperty("documents", group.documents());
                    json.writeEndObject();
                });
        json.writeEndArray();
        json.writeEndObject();
    }
}
