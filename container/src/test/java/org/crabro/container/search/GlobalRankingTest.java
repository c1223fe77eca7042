package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.query.Target;
import org.crabro.document.DocumentId;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.QueryInput.NumberInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.onnx.RankModels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobalRankingTest {
    private static final Deadline LATER = Deadline.after(Duration.ofDays(1));

    @TempDir private Path directory;

    /** Four hits whose scores are 4, 3, 2 and 1, and of which year and price are known. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # expression                                    | count | scores by hit
                    relevanceScore * 10                             | 100 | 40 30 20 10
                    attribute(year)                                 | 100 | 8 2 8 4
                    attribute(year) + query(boost)                  | 100 | 10.5 4.5 10.5 6.5
                    attribute(year) + query(given)                  | 100 | 8 2 8 4
                    constant(two) * attribute(price)                | 100 | -2 NaN 20 0
                    normalize_linear(attribute(year))               | 100 | 1 0 1 0.3333333333
                    normalize_linear(attribute(price))              | 100 | 0 NaN 1 0.0909090909
                    normalize_linear(relevanceScore)                | 100 | 1 0.6666666667 0.3333333333 0
                    normalize_linear(same)                          | 100 | 0.5 0.5 0.5 0.5
                    reciprocal_rank(attribute(year))                | 100 | 0.0163934426 0.015625 0.0161290323 0.0158730159
                    reciprocal_rank(attribute(year), 1)             | 100 | 0.5 0.2 0.3333333333 0.25
                    reciprocal_rank(attribute(price), 0)            | 100 | 0.3333333333 0.25 1 0.5
                    reciprocal_rank_fusion(relevanceScore, attribute(year)) | 100 | 0.0327868852 0.0317540323 0.0320020485 0.0314980159
                    fused                                           | 100 | 1.5 0.2 1.3333333333 0.5833333333
                    # What is beyond the count is moved below: by max(range, 1) over max(range, 1)
                    attribute(year)                                 | 2   | 8 2 -4 -10
                    attribute(year) + 100                           | 2   | 108 102 2 1
                    reciprocal_rank(relevanceScore, 0)              | 2   | 1 0.5 -0.5 -1.5
                    """)
    void scoresHitsAgain(String expression, int count, String expected) throws Exception {
        Target target = target(expression, count, "");

        List<SearchHit> ranked = ranked(target);

        Map<String, Double> byId =
                ranked.stream()
                        .collect(
                                Collectors.toMap(
                                        hit -> hit.id().toString().substring(8),
                                        SearchHit::relevance));
        String[] scores = expected.split(" ", -1);
        for (int i = 0; i < scores.length; i++) {
            double score = Double.parseDouble(scores[i]);
            assertThat(byId.get("" + i))
                    .as("hit %d of %s", i, byId)
                    .isCloseTo(
                            Double.isNaN(score) ? Double.NEGATIVE_INFINITY : score, within(1e-9));
        }
        assertThat(ranked.stream().map(SearchHit::relevance))
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void leavesOutWhatIsTooLow() throws Exception {
        Target target = target("attribute(year)", 3, "rank-score-drop-limit: 4.0");

        GlobalRanking.Outcome outcome =
                GlobalRanking.rank(
                        target.ranking().global().orElseThrow(),
                        target,
                        hits(target),
                        RankModels.none(),
                        LATER);

        assertThat(outcome.hits().stream().map(hit -> hit.id().toString()))
                .containsExactly("id:n:s::0", "id:n:s::2");
        assertThat(outcome.dropped()).isEqualTo(2);
    }

    @Test
    void countsHitsWithoutAFeatureAsNothing() throws Exception {
        Target target = target("attribute(year) + 1", 100, "");
        List<SearchHit> hits = new ArrayList<>(hits(target));
        hits.set(
                0,
                hits.getFirst()
                        .withoutFeatures(
                                target.ranking().global().orElseThrow().features().keySet()));

        GlobalRanking.Outcome outcome =
                GlobalRanking.rank(
                        target.ranking().global().orElseThrow(),
                        target,
                        hits,
                        RankModels.none(),
                        LATER);

        assertThat(outcome.hits().getLast().id()).hasToString("id:n:s::0");
        assertThat(outcome.hits().getLast().relevance()).isZero();
        assertThat(outcome.incomplete()).isEqualTo(1);
    }

    @Test
    void refusesTensorsThatBecomeTooLarge() throws Exception {
        Target target = target("sum(%s * %s)".formatted(labels("x"), labels("y")), 100, "");

        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(() -> ranked(target))
                .withMessage(
                        "the global-phase of rank profile 'p': a tensor would have 4410000 cells; ranking computes with at most 4194304");
    }

    @Test
    void endsWhenTimeIsUp() throws Exception {
        String sum = "sum(tensor(x[2000],y[1000])(x * y + attribute(year)))";
        Target target = target(sum, 100, "");
        List<SearchHit> hits = hits(target);
        var passed = new Deadline(System.nanoTime() - Duration.ofMinutes(1).toNanos());

        GlobalRanking.Outcome late =
                GlobalRanking.rank(
                        target.ranking().global().orElseThrow(),
                        target,
                        hits,
                        RankModels.none(),
                        passed);
        GlobalRanking.Outcome inTime =
                GlobalRanking.rank(
                        target.ranking().global().orElseThrow(),
                        target,
                        hits,
                        RankModels.none(),
                        LATER);

        assertThat(late.isStopped()).isTrue();
        assertThat(late.hits()).isEqualTo(hits);
        assertThat(inTime.isStopped()).isFalse();
    }

    /** Returns a tensor of 2,100 labels. */
    private static String labels(String dimension) {
        return IntStream.range(0, 2_100)
                .mapToObj(label -> label + ":1")
                .collect(Collectors.joining(",", "tensor(" + dimension + "{}):{", "}"));
    }

    @Test
    void ranksNothing() throws Exception {
        Target target = target("relevanceScore", 100, "");

        assertThat(
                        GlobalRanking.rank(
                                        target.ranking().global().orElseThrow(),
                                        target,
                                        List.of(),
                                        RankModels.none(),
                                        LATER)
                                .hits())
                .isEmpty();
    }

    private static List<SearchHit> ranked(Target target) {
        return GlobalRanking.rank(
                        target.ranking().global().orElseThrow(),
                        target,
                        hits(target),
                        RankModels.none(),
                        LATER)
                .hits();
    }

    private static List<SearchHit> hits(Target target) {
        double[][] values = {{8, -1}, {2, Double.NaN}, {8, 10}, {4, 0}};
        var hits = new ArrayList<SearchHit>();
        for (int i = 0; i < values.length; i++) {
            var features = new HashMap<String, QueryInput>();
            for (String name : target.ranking().global().orElseThrow().features().keySet()) {
                double value =
                        switch (name) {
                            case "attribute(year)" -> values[i][0];
                            case "attribute(price)" -> values[i][1];
                            default -> throw new IllegalStateException(name);
                        };
                features.put(name, new NumberInput(value));
            }
            hits.add(
                    new SearchHit(
                            DocumentId.parse("id:n:s::" + i),
                            values.length - i,
                            List.of(),
                            Map.of(),
                            features));
        }
        return hits;
    }

    private Target target(String expression, int count, String limit) throws Exception {
        Path schemas = Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(
                directory.resolve("services.xml"),
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/></container>
                  <content id="c" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents><document type="s" mode="streaming"/></documents>
                  </content>
                </services>
                """);
        Files.writeString(
                schemas.resolve("s.sd"),
                """
                schema s {
                  document s {
                    field year type int { indexing: attribute }
                    field price type double { indexing: attribute }
                  }
                  rank-profile p {
                    inputs { boost: 2.5
                      given }
                    constants { two: 2 }
                    function same() { expression: 7 + attribute(year) * 0 }
                    function fused() {
                      expression: normalize_linear(attribute(year)) + reciprocal_rank(attribute(year), 1)
                    }
                    global-phase {
                      expression: %s
                      rerank-count: %d
                      %s
                    }
                  }
                }
                """
                        .formatted(expression, count, limit));
        Schema schema =
                Objects.requireNonNull(
                        ApplicationCompiler.compile(DirectoryFiles.of(directory), 1)
                                .model()
                                .schemas()
                                .get("s"));
        RankProfile profile = Objects.requireNonNull(schema.rankProfiles().get("p"));
        return new Target(
                new SearchedApplication.Place("c", schema, Mode.STREAMING),
                new Scope.Everything(),
                new Target.Ranking(
                        profile,
                        new RankSettings("p", Map.of(), RankSettings.Statistics.GROUP, 0),
                        profile.phases().global(),
                        List.of()),
                SummarySettings.DEFAULT,
                Optional.empty());
    }
}
