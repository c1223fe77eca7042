package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.onnx.ModelRuns;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScopeSlicesTest {
    private static final SearchPlan PLAN =
            new SearchPlan(
                    SearchTest.request(
                            new QueryNode.Term("title", "blue", TermSettings.DEFAULT),
                            "default",
                            List.of(),
                            10,
                            new KeyRange.Everything()),
                    new SearchedType(
                            Mails.SCHEMA,
                            SelectionTypes.of(List.of(Mails.SCHEMA.documentType())),
                            ModelRuns.none(),
                            Parents.none()),
                    new RankProgramCache(),
                    new WorkMeter());

    @Test
    void findsEveryBlockOnce() {
        try (var mails = mails(25)) {
            ScopeSlices slices = slices(mails, Search.COUNTS_MAX);

            assertThat(slices.list()).extracting(BlockSlice::liveCount).containsExactly(10, 10, 5);
            assertThat(starts(slices)).containsExactly(true, true, true);
            assertThat(slices.rowCount()).isEqualTo(25);
            assertThat(slices.threads()).isEqualTo(1);
        }
    }

    @Test
    void cutsABlockWhoseCountsTakeTooMuchMemory() {
        try (var mails = mails(15)) {
            int rows = 4;

            ScopeSlices slices = slices(mails, rows * (1 + PLAN.matcher().patternCount()));

            assertThat(slices.list())
                    .extracting(BlockSlice::liveCount)
                    .containsExactly(4, 4, 2, 4, 1);
            assertThat(starts(slices)).containsExactly(true, false, false, true, false);
        }
    }

    @Test
    void leavesOutExcludedRows() {
        try (var mails = mails(20)) {
            ScopeSlices slices =
                    slices(mails, Search.COUNTS_MAX)
                            .without(
                                    new @Nullable DeadRows[] {
                                        DeadRows.of(new int[] {0, 1, 2}), null
                                    },
                                    true);

            assertThat(slices.liveCount()).isEqualTo(17);
            assertThat(slices.rowCount()).isEqualTo(17);
            assertThat(slices.hasUndecided()).isFalse();
        }
    }

    @Test
    void countsRowsOfUndecidedSlicesAsInScope() {
        try (var mails = mails(20)) {
            ScopeSlices slices =
                    slices(mails, Search.COUNTS_MAX)
                            .without(
                                    new @Nullable DeadRows[] {
                                        DeadRows.of(new int[] {0, 1, 2}), null
                                    },
                                    false);

            assertThat(slices.liveCount()).isEqualTo(7);
            assertThat(slices.rowCount()).isEqualTo(17);
            assertThat(slices.hasUndecided()).isTrue();
        }
    }

    private static MailBlock mails(int count) {
        var mails = new MailBlock(10);
        for (int i = 0; i < count; i++) {
            mails.with("m%02d".formatted(i), "title", new StringValue("blue"));
        }
        return mails;
    }

    private static ScopeSlices slices(MailBlock mails, int countsMax) {
        return ScopeSlices.locate(
                PLAN,
                List.of(mails.view()),
                PLAN.newIndexedSearch(new PlannedIndexUse(PLAN, true), new WorkMeter()),
                new ReadContext(),
                1,
                countsMax);
    }

    private static List<Boolean> starts(ScopeSlices slices) {
        return IntStream.range(0, slices.count()).mapToObj(slices::isBlockStart).toList();
    }
}
