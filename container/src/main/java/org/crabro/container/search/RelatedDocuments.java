package org.crabro.container.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.crabro.config.schema.Input;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.ReadReply;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.RelatedTo;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.SummaryNames;
import org.crabro.container.query.Target;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.Scope;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Searches documents that are similar to a given one. It reads the vector of the document and adds
 * a nearest neighbor condition to the query.
 */
final class RelatedDocuments implements SearchStep {
    private static final String TIME_RAN_OUT = "time ran out while the document was read";

    private final DocumentReads documents;
    private final SelectionTypes types;

    /**
     * @param types that selections of requests may name
     */
    RelatedDocuments(DocumentReads documents, SelectionTypes types) {
        this.documents = documents;
        this.types = types;
    }

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        Optional<RelatedTo> asked = query.condition().relatedTo();
        if (asked.isEmpty()) {
            return next.search(query);
        }
        RelatedTo related = asked.get();
        checkField(related, query.targets());
        if (related.idField().isPresent()) {
            return withValue(related, related.idField().get(), query, next);
        }
        DocumentId id = id(related);
        SearchQuery near;
        try (var hold = new ReadHold()) {
            ReadReply reply =
                    documents.read(query.caller().principal(), query.caller().deadline(), id, hold);
            if (!(reply instanceof ReadReply.Answered(GetReply.Found(var document, _)))) {
                return unread(reply, related, query);
            }
            near = near(related, vector(related, document.value(related.field())), query);
        }
        return next.search(without(id, related, near));
    }

    /** Returns the error result of a query whose document could not be read. */
    private static SearchResult unread(ReadReply reply, RelatedTo related, SearchQuery query) {
        return switch (reply) {
            case ReadReply.Forbidden(var reason) -> failed(ErrorCode.FORBIDDEN, reason, query);
            case ReadReply.Answered(var answer) -> unread(answer, related, query);
        };
    }

    private static SearchResult unread(GetReply answer, RelatedTo related, SearchQuery query) {
        return switch (answer) {
            case GetReply.Found _ -> throw new IllegalStateException("the document was read");
            case GetReply.Missing() -> throw missing(related);
            case GetReply.Overloaded _ ->
                    failed(ErrorCode.SEARCH_REPLY, GetReply.Overloaded.REASON, query);
            case GetReply.TimedOut() -> failed(ErrorCode.TIMED_OUT, TIME_RAN_OUT, query);
            case GetReply.WrongOwner(var version) ->
                    failed(
                            ErrorCode.BACKEND_COMMUNICATION,
                            "the node asked is not the owner in cluster state " + version,
                            query);
            case GetReply.Unavailable(var reason) ->
                    failed(ErrorCode.BACKEND_COMMUNICATION, reason, query);
            case GetReply.Failed(var reason) -> failed(ErrorCode.SEARCH_REPLY, reason, query);
        };
    }

    /** Reads the first document with the value of the id field. */
    private static SearchResult withValue(
            RelatedTo related, String idField, SearchQuery query, Execution next) {
        var source =
                new QueryNode.Term(idField, related.document(), TermSettings.DEFAULT.unranked());
        List<Target> having = having(idField, having(related.field(), query.targets()));
        if (having.isEmpty()) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "relatedTo.idField: Field '" + idField + "' does not exist.");
        }
        SearchResult result = next.search(query.lookingUp(source, having, related.field()));
        if (result.page().hits().isEmpty()) {
            if (!result.errors().isEmpty()) {
                return result;
            }
            if (result.coverage().filter(ResultCoverage::isFull).isEmpty()) {
                return failed(ErrorCode.TIMED_OUT, TIME_RAN_OUT, query);
            }
            throw missing(related);
        }
        Map<String, FieldValue> fields = result.page().hits().getFirst().hit().summary();
        SearchQuery near =
                near(
                        related,
                        vector(
                                related,
                                Optional.ofNullable(
                                        fields.get(SummaryNames.BESIDES + related.field()))),
                        query);
        return next.search(
                related.excludesSource()
                        ? near.withTree(
                                new QueryNode.Without(near.condition().tree(), List.of(source)))
                        : near);
    }

    private static List<Target> having(String field, List<Target> targets) {
        return targets.stream().filter(target -> target.schema().field(field).isPresent()).toList();
    }

    private static void checkField(RelatedTo related, List<Target> targets) {
        if (having(related.field(), targets).isEmpty()) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "relatedTo.embeddingField: Field '" + related.field() + "' does not exist.");
        }
    }

    private static DocumentId id(RelatedTo related) {
        try {
            return DocumentId.parse(related.document());
        } catch (InvalidDocumentException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, "relatedTo.id: " + e.getMessage());
        }
    }

    private static IllegalQueryException missing(RelatedTo related) {
        return new IllegalQueryException(
                ErrorCode.INVALID_PARAMETER,
                "relatedTo.id: there is no document '%s'%s"
                        .formatted(
                                related.document(),
                                related.idField()
                                        .map(field -> " by field '" + field + "'")
                                        .orElse("")));
    }

    private static DenseTensor vector(RelatedTo related, Optional<FieldValue> value) {
        if (value.isPresent()
                && value.get() instanceof FieldValue.TensorValue(DenseTensor vector)
                && vector.type().dimensions().size() == 1) {
            return vector;
        }
        throw new IllegalQueryException(
                ErrorCode.INVALID_PARAMETER,
                "relatedTo.embeddingField: document '%s' %s"
                        .formatted(
                                related.document(),
                                value.isEmpty()
                                        ? "has no '" + related.field() + "'"
                                        : "has no single vector in '" + related.field() + "'"));
    }

    /** Returns the query for the nearest neighbors, with the vector as an input of ranking. */
    private static SearchQuery near(RelatedTo related, DenseTensor vector, SearchQuery query) {
        String input = input(related, vector.type(), query.targets());
        int wanted = related.targetHits().orElse(query.hits().offset() + query.hits().count());
        var nearest =
                new QueryNode.NearestNeighbor(
                        related.field(),
                        input,
                        Math.max(1, wanted),
                        OptionalDouble.empty(),
                        TermSettings.DEFAULT);
        var targets = new ArrayList<Target>();
        for (Target target : query.targets()) {
            var inputs = new HashMap<>(target.ranking().settings().inputs());
            Input declared = target.ranking().profile().inputs().get(input);
            inputs.put(
                    input,
                    new QueryInput.TensorInput(
                            declared == null ? vector : as(declared.type(), vector)));
            targets.add(target.with(target.ranking().settings().withInputs(inputs)));
        }
        return query.withTree(
                        query.condition().tree() instanceof QueryNode.All
                                ? nearest
                                : new QueryNode.And(List.of(nearest, query.condition().tree())))
                .withTargets(targets);
    }

    /** Returns the same vector with the cells of another type. */
    private static DenseTensor as(TensorType type, DenseTensor vector) {
        var cells = new double[vector.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = vector.cell(i);
        }
        return DenseTensor.of(type, cells);
    }

    private static String input(RelatedTo related, TensorType type, List<Target> targets) {
        var fitting = new TreeSet<String>();
        for (Target target : having(related.field(), targets)) {
            target.ranking()
                    .profile()
                    .inputs()
                    .forEach((name, input) -> {
                        if (fits(input, type)) {
                            fitting.add(name);
                        }
                    });
        }
        // The vector is an input of all targets.
        for (Target target : targets) {
            target.ranking()
                    .profile()
                    .inputs()
                    .forEach((name, input) -> {
                        if (!fits(input, type)) {
                            fitting.remove(name);
                        }
                    });
        }
        Optional<String> named = related.input();
        boolean isClear = named.map(fitting::contains).orElse(fitting.size() == 1);
        if (!isClear) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "relatedTo.queryTensorName: expected an input of type %s of the rank profile, which has %s, but found %s"
                            .formatted(type, fitting, named.orElse("nothing")));
        }
        return named.orElseGet(fitting::first);
    }

    private static boolean fits(Input input, TensorType type) {
        return input.type().dimensions().equals(type.dimensions());
    }

    /** Returns the query without the given document, if the request excludes it. */
    private SearchQuery without(DocumentId id, RelatedTo related, SearchQuery query) {
        if (!related.excludesSource()) {
            return query;
        }
        var targets = new ArrayList<Target>();
        for (Target target : query.targets()) {
            targets.add(
                    target.schema().name().equals(id.documentType())
                            ? target.with(narrowed(target.scope(), id))
                            : target);
        }
        return query.withTargets(targets);
    }

    private Scope narrowed(Scope scope, DocumentId id) {
        Selection others =
                Selection.parse(
                        "id != \""
                                + id.toString().replace("\\", "\\\\").replace("\"", "\\\"")
                                + '"',
                        types);
        return scope instanceof Scope.Selected(var within, var already, var from, var to)
                ? new Scope.Selected(within, both(already, others), from, to)
                : new Scope.Selected(scope, others.toString(), 0, Long.MAX_VALUE);
    }

    private String both(String already, Selection others) {
        try {
            return Selection.allOf(List.of(Selection.parse(already, types), others), types)
                    .toString();
        } catch (InvalidSelectionException e) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER, "streaming.selection: " + e.getMessage());
        }
    }

    private static SearchResult failed(ErrorCode code, String reason, SearchQuery query) {
        return SearchResult.failed(
                new ResultError(code, "", "relatedTo.id: " + reason),
                query.output().presentation());
    }
}
