package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.search.rank.RankResources;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.search.rank.Scorer;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorWork;
import org.junit.jupiter.api.Test;

class SecondPhasePartsTest {
    /** More than are scored at once. */
    private static final int ROWS = 2_500;

    @Test
    void rowsKeepTheirPlacesWhereTheyAreScoredInParts() {
        int[] rows = IntStream.range(0, ROWS).toArray();
        int[] ranks = IntStream.range(0, ROWS).map(row -> 1 + (row * 7 + 3) % ROWS).toArray();
        var scores = new double[ROWS];

        scorer("placed").scoreAgain(rows, ranks, 0.5, ROWS, scores);

        assertThat(scores).isEqualTo(Arrays.stream(ranks).mapToDouble(r -> 10 * r + 0.5).toArray());
    }

    private static Scorer scorer(String profile) {
        var fields = new QueryFields();
        Matcher matcher = Matcher.compile(new QueryNode.All(), Mails.SCHEMA, Map.of(), fields);
        var limits =
                new RankLimits(
                        OptionalDouble.empty(), OptionalInt.of(ROWS), OptionalDouble.empty());
        Ranking ranking =
                Ranking.compile(
                        Objects.requireNonNull(Mails.SCHEMA.rankProfiles().get(profile)),
                        Mails.SCHEMA,
                        new RankSettings(profile, Map.of(), Statistics.NONE, Mails.NOW)
                                .with(limits),
                        matcher,
                        fields,
                        new RankResources(
                                new RankProgramCache().of(Mails.SCHEMA),
                                ModelRuns.none(),
                                TensorWork.UNLIMITED));
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        List.of(),
                        List.of(),
                        new TextHitsCache(0),
                        BlockCaches.none());
        return new Scorer(ranking.scoring(ranking.newCounts()), scan);
    }
}
