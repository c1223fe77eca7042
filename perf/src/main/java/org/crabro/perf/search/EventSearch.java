package org.crabro.perf.search;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupExpression.Aggregate;
import org.crabro.protocol.grouping.GroupExpression.Call;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupingLimits;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingOperation.Clauses;
import org.crabro.protocol.grouping.GroupingOperation.DocumentClauses;
import org.crabro.protocol.grouping.GroupingOperation.HintClauses;
import org.crabro.protocol.grouping.GroupingOperation.Kind;
import org.crabro.protocol.grouping.GroupingOperation.ListClauses;
import org.crabro.protocol.grouping.GroupingOperation.Order;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.GroupingPlanner;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * Events of a month with their repositories, a few of which have most events, in blocks as in
 * files; and groupings of all of them on the calling thread.
 */
final class EventSearch implements AutoCloseable {
    static final String TIME = "created_at";
    static final String REPOSITORY = "repo";
    static final int DAY = 86_400;

    private static final long START = 1_700_000_000L;
    private static final int DAYS = 30;
    private static final int REPOSITORIES = 2_000;
    private static final long MANY_BYTES = 1L << 30;

    private static final DocumentType TYPE =
            new DocumentType(
                    "event",
                    List.of(
                            new Field(TIME, FieldType.Primitive.LONG, true),
                            new Field(REPOSITORY, FieldType.Primitive.STRING, true)));

    private final Arena arena = Arena.ofShared();
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private final Search search = new Search(Runnable::run, new ReadAhead(Runnable::run, 1), 1, 1);
    private final Schema schema = schema();

    EventSearch(int count, long seed) {
        var random = new Random(seed);
        var rows = new TreeMap<RowKey, MemorySegment>();
        for (int i = 0; i < count; i++) {
            DocumentId id = DocumentId.parse("id:perf:event::" + i);
            Map<String, FieldValue> fields =
                    Map.of(
                            TIME,
                            new FieldValue.LongValue(START + random.nextInt(DAYS * DAY)),
                            REPOSITORY,
                            new FieldValue.StringValue(repository(random)));
            var row = new Row(id, i + 1, TYPE.fingerprint(), false, fields);
            rows.put(RowKey.of(id), MemorySegment.ofArray(RowEncoding.encode(row, TYPE)));
        }
        var writer = new BlockWriter(TYPE, SearchedTexts.NONE);
        rows.forEach((key, row) -> {
            if (writer.isClosedBefore(key, row)) {
                blocks.add(writer.finish(arena));
            }
            writer.add(key, row);
        });
        blocks.add(writer.finish(arena));
    }

    private static String repository(Random random) {
        int number = (int) (Math.pow(random.nextDouble(), 4) * REPOSITORIES);
        return "owner%d/project-%d".formatted(number % 400, number);
    }

    List<EncodedBlock> blocks() {
        return blocks;
    }

    /** Returns how many events there are of each day. */
    SearchReply.Found byDay() {
        Aggregate first = Aggregate.of(Aggregator.MIN, GroupExpression.FieldOf.of(TIME));
        return grouped(
                search,
                Call.of(
                        GroupFunction.FIXED_WIDTH,
                        GroupExpression.FieldOf.of(TIME),
                        new GroupExpression.Whole(DAY)),
                4_000,
                new Order(first, false));
    }

    /** Returns the repositories with the most events. */
    SearchReply.Found byRepository() {
        return byRepository(search);
    }

    /** The same, on the threads of another search. */
    SearchReply.Found byRepository(Search on) {
        return grouped(
                on, GroupExpression.FieldOf.of(REPOSITORY), 100, new Order(Aggregate.COUNT, true));
    }

    private SearchReply.Found grouped(Search on, GroupExpression by, int max, Order order) {
        var each =
                new GroupingOperation(
                        Kind.EACH,
                        Optional.empty(),
                        clauses(
                                OptionalInt.empty(),
                                List.of(),
                                List.of(new Output(Aggregate.COUNT, "count()"))),
                        List.of(),
                        "");
        var all =
                new GroupingOperation(
                        Kind.ALL,
                        Optional.of(by),
                        clauses(OptionalInt.of(max), List.of(order), List.of()),
                        List.of(each),
                        "");
        var grouping =
                new GroupingSettings(
                        List.of(GroupingPlanner.plan(all, GroupingLimits.DEFAULT, List.of())),
                        "UTC",
                        true,
                        MANY_BYTES);
        var request =
                new SearchRequest(
                        new RequestHeader(
                                Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                        new SearchScope(List.of(0), TYPE.name(), new Scope.Everything(), List.of()),
                        new RankedQuery(
                                new QueryNode.All(),
                                new RankSettings("unranked", Map.of(), Statistics.NONE, 0)),
                        new HitSettings(0, List.of(), SummarySettings.DEFAULT),
                        grouping,
                        new ReplySettings(true, 0));
        return (SearchReply.Found) on.run(request, schema, List.of(new All()));
    }

    private static Clauses clauses(OptionalInt max, List<Order> order, List<Output> outputs) {
        return new Clauses(
                DocumentClauses.NONE,
                new ListClauses(max, order, List.of(), Optional.empty()),
                outputs,
                HintClauses.NONE);
    }

    /** All blocks, whole. */
    private final class All implements View {
        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            return blocks.stream()
                    .map(block -> new BlockSlice(block, 0, block.rowCount(), DeadRows.NONE))
                    .toList();
        }

        /** The schema has no references, so no query reads a parent. */
        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static Schema schema() {
        return new Schema(
                TYPE.name(),
                TYPE,
                Map.of(TIME, field(TIME), REPOSITORY, field(REPOSITORY)),
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of(
                        "unranked",
                        new RankProfile(
                                "unranked",
                                Map.of(),
                                ExpressionParser.parse("0"),
                                Map.of(),
                                Map.of())),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }

    private static SchemaField field(String name) {
        return new SchemaField(
                TYPE.field(name).orElseThrow(),
                Set.of(Aspect.ATTRIBUTE),
                MatchMode.WORD,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of()));
    }

    @Override
    public void close() {
        arena.close();
    }
}
