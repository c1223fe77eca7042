package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue.MixedTensorValue;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
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
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches one row that has a very large tensor, as {@link PoisonSearchTest} searches texts. */
@Tag("all-compilers")
class PoisonTensorsTest {
    private static final int VECTORS = 120_000;
    private static final long LATE = 1_000;
    private static final TensorType STORED = TensorType.parse("tensor<float>(p{},x[8])");
    private static final TensorType ROWS = TensorType.parse("tensor<float>(q{},x[8])");
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[8])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "mail", List.of(new Field("vectors", new FieldType.TensorOf(STORED), true)));

    private static final QueryNode NEAREST =
            new QueryNode.NearestNeighbor(
                    "vectors", "q", 1, OptionalDouble.empty(), TermSettings.DEFAULT);

    private static MailBlock mails;
    private static View view;
    private static MixedTensor rows;

    @BeforeAll
    static void write() {
        mails =
                new MailBlock(1, SearchedTexts.NONE, TYPE)
                        .with("a", "vectors", new MixedTensorValue(tensor(STORED, VECTORS)));
        view = mails.view();
        rows = tensor(ROWS, 300);
    }

    @AfterAll
    static void close() {
        mails.close();
    }

    private static MixedTensor tensor(TensorType type, int vectors) {
        var parts = new HashMap<List<String>, double[]>();
        for (int i = 0; i < vectors; i++) {
            parts.put(List.of("p" + i), new double[] {i, 1, 2, 3, 4, 5, 6, 7});
        }
        return MixedTensor.of(type, parts);
    }

    /**
     * @param units the least number of units of work
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "closeness(field, vectors) | 1400000",
                "sum(reduce(sum(query(m) * attribute(vectors), x), max, p)) | 18000000",
                "sum(map(attribute(vectors), f(c)(c * c % 3))) | 7000000",
                "sum(reduce(attribute(vectors) * query(q), sum, x)) | 8000000",
                "sum(closest(vectors)) | 1400000",
                "sum(map(query(m), f(c)(sum(query(m) * c)))) | 9000000",
            })
    void asksInsideARow(String expression, long units) {
        SearchReply reply = search(expression, NEAREST, () -> 0);

        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        var result = (SearchReply.Found) reply;
        assertThat(PoisonSearchTest.questionsInRows(result))
                .isGreaterThanOrEqualTo(units / PoisonSearchTest.GAP_MAX)
                .isPositive();
        assertThat(PoisonSearchTest.largestGap(result))
                .isLessThanOrEqualTo(PoisonSearchTest.GAP_MAX);
    }

    /** The last of them is computed while the query is compiled. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum(map(attribute(vectors), f(c)(sum(query(m) * c))))",
                "sum(map(attribute(vectors), f(c)(reduce(query(m) * c, median))))",
                "sum(map(query(m), f(c)(sum(tensor(y[200],z[200])(y * z * c)))))",
            })
    void endsInsideARow(String expression) {
        var questions = new AtomicInteger();

        SearchReply reply =
                search(
                        expression,
                        new QueryNode.All(),
                        () ->
                                questions.incrementAndGet() > PoisonSearchTest.QUESTIONS_OUTSIDE
                                        ? LATE
                                        : 0);

        assertThat(reply).isInstanceOf(SearchReply.TimedOut.class);
    }

    private static SearchReply search(String expression, QueryNode tree, LongSupplier clock) {
        var search =
                new Search(
                        new ScanThreads(Runnable::run, 1, 1),
                        new ReadAhead(Runnable::run, 1),
                        BlockCaches.none(),
                        new GroupMemory(GroupMemory.bytesByDefault()),
                        clock,
                        Search.COUNTS_MAX);
        DenseTensor vector = DenseTensor.of(VECTOR, new double[8]);
        Map<String, QueryInput> inputs =
                Map.of(
                        "q", new QueryInput.TensorInput(vector),
                        "m", new QueryInput.TensorInput(rows));
        var request =
                new SearchRequest(
                        new RequestHeader(Principal.EVERYONE, 1, new Deadline(LATE)),
                        new SearchScope(List.of(0), "mail", new Scope.Everything(), List.of()),
                        new RankedQuery(
                                tree, new RankSettings("poison", inputs, Statistics.GROUP, 0)),
                        new HitSettings(1, List.of(), SummarySettings.DEFAULT),
                        GroupingSettings.NONE,
                        new ReplySettings(false, 1));
        return search.run(request, schema(expression), List.of(view));
    }

    private static Schema schema(String expression) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(Aspect.ATTRIBUTE),
                            MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        var profile =
                new RankProfile(
                        "poison",
                        Map.of(
                                "q", Input.of(VECTOR, Optional.empty()),
                                "m", Input.of(ROWS, Optional.empty())),
                        ExpressionParser.parse(expression),
                        Map.of(),
                        Map.of());
        return new Schema(
                "mail",
                TYPE,
                fields,
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of("poison", profile),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }
}
