package org.crabro.container.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.PlannedSearch;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.ResultPlan;
import org.crabro.container.query.TraceLine;
import org.crabro.container.search.ResultCoverage;
import org.crabro.container.search.ResultHit;
import org.crabro.container.search.ResultPage;
import org.crabro.container.search.SearchResult;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.json.ValueForm;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.OtherFeatures;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.PlanCounts;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.PlanRead;
import org.crabro.protocol.search.PlanScope;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class JsonRendererTest {
    private static final DocumentId ID = DocumentId.parse("id:n:music:g=me:1");
    private static final DenseTensor TENSOR =
            DenseTensor.of(TensorType.parse("tensor<float>(x[2])"), new double[] {1, Double.NaN});

    @Test
    void writesEveryTypeAndLeavesOutWhatIsEmpty() {
        var summary = new LinkedHashMap<String, FieldValue>();
        summary.put("title", new FieldValue.StringValue("Blue \"\n\u0001 é"));
        summary.put("empty", new FieldValue.StringValue(""));
        summary.put("$hidden", new FieldValue.StringValue("x"));
        summary.put("live", new FieldValue.BoolValue(false));
        summary.put("year", new FieldValue.IntValue(0));
        summary.put("views", new FieldValue.LongValue(Long.MAX_VALUE));
        summary.put("price", new FieldValue.FloatValue(5.678f));
        summary.put("ratio", new FieldValue.DoubleValue(0.1));
        summary.put("tags", new FieldValue.ArrayValue(List.of(new FieldValue.StringValue("a"))));
        summary.put("none", new FieldValue.ArrayValue(List.of()));
        summary.put("vector", new FieldValue.TensorValue(TENSOR));
        var features = new LinkedHashMap<String, QueryInput>();
        features.put("bm25(title)", new QueryInput.NumberInput(1.5));
        features.put("odd", new QueryInput.NumberInput(Double.POSITIVE_INFINITY));
        features.put("query(q)", new QueryInput.TensorInput(TENSOR));

        assertThat(rendered(result(Presentation.DEFAULT, List.of(), hit(1.0, summary, features))))
                .isEqualTo(
                        """
                        {"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":1},\
                        "coverage":{"coverage":100,"documents":7,"full":true,"nodes":1,"results":1,\
                        "resultsFull":1},"children":[{"id":"id:n:music:g=me:1","relevance":1.0,\
                        "source":"songs","fields":{"matchfeatures":{"bm25(title)":1.5,"odd":null,\
                        "query(q)":{"type":"tensor<float>(x[2])","values":[1.0,null]}},\
                        "sddocname":"music","documentid":"id:n:music:g=me:1",\
                        "title":"Blue \\"\\n\\u0001 é","live":false,"year":0,\
                        "views":9223372036854775807,"price":5.678,"ratio":0.1,"tags":["a"],\
                        "vector":{"type":"tensor<float>(x[2])","values":[1.0,null]}}}]}}\
                        """);
    }

    @Test
    void writesARelevanceThatIsNotFiniteAsString() {
        assertThat(
                        rendered(
                                result(
                                        Presentation.DEFAULT,
                                        List.of(),
                                        hit(Double.NEGATIVE_INFINITY, Map.of(), Map.of()))))
                .contains("\"relevance\":\"-Infinity\"");
    }

    @Test
    void writesRankAndSummaryFeaturesApartFromMatchFeatures() {
        var hit =
                new ResultHit(
                        new SearchHit(ID, 0.5, List.of(), Map.of(), Map.of())
                                .with(
                                        new OtherFeatures(
                                                Map.of("near", new QueryInput.NumberInput(2)),
                                                Map.of("now", new QueryInput.NumberInput(7)))),
                        "songs",
                        "music",
                        false,
                        false);

        assertThat(rendered(result(Presentation.DEFAULT, List.of(), hit)))
                .endsWith(
                        "\"fields\":{\"rankfeatures\":{\"now\":7.0},"
                                + "\"summaryfeatures\":{\"near\":2.0}}}]}}");
    }

    @Test
    void namesHitsThatHideTheirIdByTheirGlobalId() {
        var hidden =
                new ResultHit(
                        new SearchHit(ID, 0.5, List.of(), Map.of(), Map.of()),
                        "songs",
                        "music",
                        false,
                        false);

        assertThat(rendered(result(Presentation.DEFAULT, List.of(), hidden)))
                .endsWith(
                        "\"children\":[{\"id\":\"index:songs/0/"
                                + ID.globalId().toString().substring(6, 30)
                                + "\",\"relevance\":0.5,\"source\":\"songs\"}]}}");
    }

    @Test
    void writesTensorsAsAsked() {
        var presentation = Presentation.DEFAULT.with(ValueForm.of(TensorFormat.SHORT_VALUE));
        Map<String, FieldValue> summary = Map.of("vector", new FieldValue.TensorValue(TENSOR));

        assertThat(rendered(result(presentation, List.of(), hit(1, summary, Map.of()))))
                .contains("\"vector\":[1.0,null]");
    }

    @Test
    void writesTraceAndTimingFirst() {
        var presentation = Presentation.DEFAULT.timed();

        assertThat(rendered(result(presentation, List.of("one", "two"))))
                .startsWith(
                        """
                        {"trace":{"children":[{"message":"one"},{"message":"two"}]},\
                        "timing":{"querytime":0.25,"summaryfetchtime":0.0,"searchtime":0.25},\
                        "root":{"id":"toplevel",\
                        """);
    }

    /** The time of rendering is not known before: it is left out of the comparison. */
    @Test
    void writesThePlanAfterTheHits() {
        var counts = new PlanCounts(300, 125, 130, 7, 500_000);
        var node =
                new NodePlan(
                        new PlanScope(1, 2, 1_000, 125),
                        new QueryCost(3, 7, 300, 4_096, 512, 2_000_000),
                        List.of(
                                new PlanRead(PlanRead.Place.RECENT, 0, 1, 0, 10, 96),
                                new PlanRead(PlanRead.Place.RUNS, 2, 2, 7, 290, 4_000),
                                new PlanRead(PlanRead.Place.CACHE, 0, 2, 0, 0, 640)),
                        new PlanCondition(
                                "and",
                                "",
                                counts,
                                List.of(
                                        new PlanCondition(
                                                "text", "title \"blue\"", counts, List.of()))),
                        List.of(new PlanPhase("match", 1_500_000)));
        var plan =
                new ResultPlan(
                        List.of(new PlanPhase("parse", 250_000)),
                        List.of(new PlannedSearch("songs", "music", "default", List.of(node))));
        var hit =
                new ResultHit(
                        new SearchHit(ID, 0.5, List.of(), Map.of(), Map.of())
                                .with(
                                        new OtherFeatures(
                                                Map.of(),
                                                Map.of(),
                                                Map.of(
                                                        "bm25(title)",
                                                        new QueryInput.NumberInput(0.5)))),
                        "songs",
                        "music",
                        true,
                        true);
        SearchResult plain = result(Presentation.DEFAULT, List.of("one"), hit);
        var explained =
                new SearchResult(
                        plain.page(),
                        plain.groups(),
                        plain.coverage(),
                        plain.cost(),
                        plain.errors(),
                        plain.output().withPlan(Optional.of(plan)));

        assertThat(
                        rendered(explained)
                                .replaceFirst("\"millis\":[0-9.E-]+", "\"millis\":0")
                                .replaceFirst(
                                        "render\",\"millis\":[0-9.E-]+", "render\",\"millis\":0"))
                .endsWith(
                        """
                        "source":"songs","fields":{"sddocname":"music","documentid":"id:n:music:g=me:1"}}]},\
                        "trace":{"children":[{"message":"one"}],"plan":{"millis":0,\
                        "phases":[{"name":"parse","millis":0.25},{"name":"render","millis":0}],\
                        "searches":[{"cluster":"songs","schema":"music","profile":"default",\
                        "nodes":[{"partitions":1,"threads":2,"documents":1000,"matches":125,\
                        "cpuMillis":2.0,"bytes":4096,"deviceBytes":512,\
                        "phases":[{"name":"match","millis":1.5}],\
                        "reads":[{"place":"recent","blocks":1,"skippedBlocks":0,"rows":10,"bytes":96},\
                        {"place":"runs","runs":2,"blocks":2,"skippedBlocks":7,"rows":290,"bytes":4000},\
                        {"place":"cache","blocks":2,"bytes":640}],\
                        "condition":{"operator":"and","candidates":300,"matches":125,"expected":130,\
                        "skippedBlocks":7,"millis":0.5,"children":[{"operator":"text",\
                        "text":"title \\"blue\\"","candidates":300,"matches":125,"expected":130,\
                        "skippedBlocks":7,"millis":0.5}]}}]}],\
                        "hits":[{"id":"id:n:music:g=me:1","relevance":0.5,\
                        "features":{"bm25(title)":0.5}}]}}}\
                        """);
    }

    @Test
    void writesErrorsWithoutCoverageWhereNobodyAnswered() {
        SearchResult failed =
                SearchResult.failed(
                        new ResultError(ErrorCode.INVALID_PARAMETER, "", "line 1\nline 2"));

        assertThat(rendered(failed))
                .isEqualTo(
                        """
                        {"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":0},\
                        "errors":[{"code":4,"summary":"Invalid query parameter",\
                        "message":"line 1\\nline 2"}]}}\
                        """);
    }

    private static ResultHit hit(
            double relevance, Map<String, FieldValue> summary, Map<String, QueryInput> features) {
        return new ResultHit(
                new SearchHit(ID, relevance, List.of(), summary, features),
                "songs",
                "music",
                true,
                true);
    }

    private static SearchResult result(
            Presentation presentation, List<String> trace, ResultHit... hits) {
        return new SearchResult(
                new ResultPage(List.of(hits), hits.length, Optional.empty()),
                List.of(),
                Optional.of(new ResultCoverage(new Coverage(7, 7, false), 1, 1, 1)),
                QueryCost.NONE,
                List.of(),
                QueryOutput.of(presentation)
                        .withTrace(trace.stream().map(TraceLine::now).toList()));
    }

    private static String rendered(SearchResult result) {
        var out = new ByteArrayOutputStream();
        try {
            new JsonRenderer().render(result, Duration.ofMillis(250), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(UTF_8);
    }
}
