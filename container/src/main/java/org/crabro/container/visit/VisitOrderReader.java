package org.crabro.container.visit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.visit.VisitOrder.Limits;
import org.crabro.document.LocationKey;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.select.Selection;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;

/** Reads and checks the parameters of visits. */
final class VisitOrderReader {
    private static final int CONCURRENCY_MAX = 100;

    /** The default time after which an operation on a selection answers. */
    private static final Duration TIME_CHUNK = Duration.ofSeconds(60);

    /** Groups of an answer, by default. */
    private static final long GROUPS = 100;

    private static final long GROUPS_MAX = 10_000;

    private static final Duration ANSWERING = Duration.ofSeconds(5);
    private static final Duration ANSWERING_SHORT = Duration.ofMillis(100);

    /** Parameters of visits that operations on selections do not implement. */
    private static final List<String> FORBIDDEN_BY_SELECTION =
            List.of("wantedDocumentCount", "concurrency", "fieldSet", "route", "dryRun");

    private static final int TRACE_LEVEL_MAX = 9;

    private final VisitedTypes types;
    private final Duration timeout;
    private final Function<String, VisitReads> reads;

    /**
     * @param timeout of requests that name none
     * @param reads the reads of each content cluster
     */
    VisitOrderReader(ApplicationModel model, Duration timeout, Function<String, VisitReads> reads) {
        this.types = new VisitedTypes(model);
        this.timeout = timeout;
        this.reads = reads;
    }

    /**
     * Returns the order of a GET.
     *
     * @param accept the values of the header {@code Accept}
     * @throws InvalidRequestException if the request is invalid
     */
    VisitOrder visit(
            DocumentPath path, String rawPath, DocumentParameters parameters, List<String> accept) {
        parameters.forbid("dryRun", rawPath);
        boolean isStream = parameters.flag("stream");
        AcceptedForm answer = AcceptedForm.of(accept);
        Optional<Long> wanted = positive(parameters, "wantedDocumentCount");
        // Clients treat a stream of lines that ends with a token as an interrupted one. The command
        // line of Vespa, which always sends a wanted count, gives up after five of them.
        long most =
                isStream && answer.isLines()
                        ? Long.MAX_VALUE
                        : wanted.orElse(isStream ? Long.MAX_VALUE : 1);
        int concurrency =
                (int) Math.min(positive(parameters, "concurrency").orElse(1L), CONCURRENCY_MAX);
        return order(
                path,
                parameters,
                new Kind(
                        parameters.text("fieldSet"),
                        true,
                        answer,
                        isStream,
                        limits(parameters, most, concurrency)));
    }

    /**
     * Returns the order of an operation on a selection, with all fields.
     *
     * @throws InvalidRequestException if the request is invalid
     */
    VisitOrder bySelection(DocumentPath path, String rawPath, DocumentParameters parameters) {
        for (String name : FORBIDDEN_BY_SELECTION) {
            parameters.forbid(name, rawPath);
        }
        for (String name : List.of("cluster", "selection")) {
            if (parameters.text(name).isEmpty()) {
                throw DocumentParameters.invalid(
                        "must specify '" + name + "' at '" + rawPath + "'");
            }
        }
        Duration chunk = parameters.time("timeChunk").orElse(TIME_CHUNK);
        Duration all = parameters.time("timeout").orElse(timeout);
        Duration most = working(all);
        return order(
                path,
                parameters,
                new Kind(
                        Optional.of("[all]"),
                        false,
                        AcceptedForm.JSON,
                        false,
                        new Limits(
                                Long.MAX_VALUE, 1, all, chunk.compareTo(most) < 0 ? chunk : most)));
    }

    /**
     * Returns the order of a list of groups.
     *
     * @throws InvalidRequestException if the request is invalid
     */
    VisitOrder groups(DocumentPath.Groups path, String rawPath, DocumentParameters parameters) {
        // A slice may contain a part of a group only, if the selection names the group.
        for (String name :
                List.of("slices", "sliceId", "wantedDocumentCount", "fieldSet", "dryRun")) {
            parameters.forbid(name, rawPath);
        }
        long wanted =
                parameters
                        .text("wantedGroupCount")
                        .map(text -> whole("wantedGroupCount", text, 1, GROUPS_MAX))
                        .orElse(GROUPS);
        return order(
                new DocumentPath.Range(
                        path.namespace(), path.documentType(), new LocationKey.Plain()),
                parameters,
                new Kind(
                        Optional.empty(),
                        false,
                        AcceptedForm.JSON,
                        false,
                        limits(parameters, wanted, 1)));
    }

    /**
     * A removal of a whole group.
     *
     * @param clusters the content clusters from which the group is removed
     * @param others selects the documents of the group in other namespaces than that of the path
     * @param working the time for it
     */
    record Removal(List<String> clusters, Selection others, Duration working) {
        Removal {
            clusters = List.copyOf(clusters);
        }
    }

    /**
     * Returns the removal of a whole group.
     *
     * @throws InvalidRequestException if the request is invalid
     */
    Removal wholeGroup(DocumentPath.Range path, String rawPath, DocumentParameters parameters) {
        // These parameters contradict the removal of a whole group.
        for (String name :
                List.of(
                        "selection",
                        "slices",
                        "sliceId",
                        "fromTimestamp",
                        "toTimestamp",
                        "continuation",
                        "timeChunk",
                        "condition",
                        "wantedDocumentCount",
                        "concurrency",
                        "fieldSet",
                        "route",
                        "dryRun")) {
            parameters.forbid(name, rawPath);
        }
        List<ContentCluster> clusters = types.clusters(parameters.text("cluster"), path);
        types.types(clusters.getFirst(), path, false);
        return new Removal(
                clusters.stream().map(ContentCluster::id).toList(),
                VisitedSelection.others(path, types.selectable(clusters.getFirst())),
                working(parameters.time("timeout").orElse(timeout)));
    }

    /**
     * Returns the cluster to which documents are copied.
     *
     * @throws InvalidRequestException if the parameter is missing or names an unknown cluster
     */
    ContentCluster destination(DocumentParameters parameters, String rawPath) {
        return types.named(
                parameters
                        .text("destinationCluster")
                        .orElseThrow(() ->
                                DocumentParameters.invalid(
                                        "must specify 'destinationCluster' at '" + rawPath + "'")));
    }

    /**
     * What differs between visits, operations on a selection, and lists of groups.
     *
     * @param isVisit whether the parameters {@code includeRemoves}, {@code empties} and {@code
     *     format.dates} count
     */
    private record Kind(
            Optional<String> fieldSet,
            boolean isVisit,
            AcceptedForm accepted,
            boolean isStream,
            Limits limits) {}

    private VisitOrder order(DocumentPath path, DocumentParameters parameters, Kind kind) {
        if (!kind.isVisit) {
            parameters.requireNumbers();
        }
        ContentCluster cluster = types.cluster(parameters.text("cluster"), path);
        VisitReads visited = reads.apply(cluster.id());
        Partitions spread = visited.partitions();
        List<Schema> schemas = types.types(cluster, path, isGlobal(parameters));
        Selection selection =
                VisitedSelection.of(parameters.text("selection"), path, types.selectable(cluster));
        VisitSlice slice = slice(parameters);
        Window window = window(parameters);
        VisitPlan plan =
                schemas.isEmpty()
                        ? new VisitPlan(spread, List.of())
                        : VisitPlan.of(selection.places(), spread, visited.parts());
        var scope =
                new VisitOrder.Scope(
                        selection,
                        slice,
                        window.from,
                        window.to,
                        kind.isVisit && parameters.flag("includeRemoves"));
        var format =
                new VisitOrder.Format(
                        VisitedFields.of(kind.fieldSet, schemas),
                        new VisitOrder.Values(
                                parameters
                                        .text("format.tensors")
                                        .map(TensorFormat::of)
                                        .orElse(TensorFormat.SHORT),
                                parameters.areDatesTexts()
                                        ? VisitedTimes.of(schemas)
                                        : VisitedTimes.NONE),
                        parameters.flag("timestamps"),
                        kind.isVisit && parameters.flag("empties"),
                        kind.accepted,
                        kind.isStream);
        return new VisitOrder(
                cluster.id(),
                scope,
                format,
                kind.limits,
                parameters.number("tracelevel", TRACE_LEVEL_MAX) > 0,
                parameters
                        .text("continuation")
                        .map(token -> Continuation.parse(token, plan, slice))
                        .orElseGet(() -> new Continuation(plan, slice, 0, List.of())));
    }

    private Limits limits(DocumentParameters parameters, long wanted, int concurrency) {
        Duration all = parameters.time("timeout").orElse(timeout);
        return new Limits(wanted, concurrency, all, working(all));
    }

    /** Subtracts from a timeout the time that an answer with a continuation takes. */
    private static Duration working(Duration timeout) {
        long nanos = timeout.toNanos();
        return Duration.ofNanos(
                Math.max(
                        Duration.ofMillis(1).toNanos(),
                        Math.max(
                                nanos - ANSWERING.toNanos(),
                                nanos / 10 * 9 - ANSWERING_SHORT.toNanos())));
    }

    private static boolean isGlobal(DocumentParameters parameters) {
        String space = parameters.text("bucketSpace").orElse("default");
        return switch (space) {
            case "default" -> false;
            case "global" -> true;
            default ->
                    throw DocumentParameters.invalid(
                            "there is no bucket space '%s', only 'default' and 'global'"
                                    .formatted(space));
        };
    }

    private static VisitSlice slice(DocumentParameters parameters) {
        Optional<String> slices = parameters.text("slices");
        Optional<String> slice = parameters.text("sliceId");
        if (slices.isEmpty() && slice.isEmpty()) {
            return VisitSlice.ALL;
        }
        if (slices.isEmpty() || slice.isEmpty()) {
            throw DocumentParameters.invalid(
                    "'slices' and 'sliceId' go together: '%s' is missing"
                            .formatted(slices.isEmpty() ? "slices" : "sliceId"));
        }
        long count = whole("slices", slices.get(), 1, VisitSlice.COUNT_MAX);
        return new VisitSlice((int) whole("sliceId", slice.get(), 0, count - 1), (int) count);
    }

    /** The range of timestamps, in microseconds. */
    private record Window(long from, long to) {}

    private static Window window(DocumentParameters parameters) {
        long from = timestamp(parameters, "fromTimestamp");
        long to = timestamp(parameters, "toTimestamp");
        if (to == 0) {
            return new Window(from, Long.MAX_VALUE);
        }
        if (to < from) {
            throw DocumentParameters.invalid(
                    "'toTimestamp' is %d, before 'fromTimestamp', which is %d".formatted(to, from));
        }
        return new Window(from, to);
    }

    /** Returns microseconds; values above 2^63 are read as the largest. */
    private static long timestamp(DocumentParameters parameters, String name) {
        Optional<String> text = parameters.text(name);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long micros = Long.parseUnsignedLong(text.get());
            return micros < 0 ? Long.MAX_VALUE : micros;
        } catch (NumberFormatException _) {
            throw DocumentParameters.invalid(
                    "'%s' of '%s' is no number of microseconds since the epoch"
                            .formatted(text.get(), name));
        }
    }

    private static Optional<Long> positive(DocumentParameters parameters, String name) {
        return parameters.text(name).map(text -> whole(name, text, 1, Long.MAX_VALUE));
    }

    /**
     * Returns a whole number.
     *
     * @throws InvalidRequestException if the text is none, or out of range
     */
    static long whole(String name, String text, long min, long max) {
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw DocumentParameters.invalid(
                "'%s' of '%s' is not a whole number from %d to %d".formatted(text, name, min, max));
    }
}
