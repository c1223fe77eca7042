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
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
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
import org.crabro.protocol.search.OtherFeatures;
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
