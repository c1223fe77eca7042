package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.cluster.Partitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisitPlanTest {
    private static VisitPlan plan(String selection, int bits) {
        return VisitPlan.of(
                Selection.parse(selection, SelectionTypes.of(VisitedApplication.types())).places(),
                new Partitions(bits));
    }

    @Test
    void goesThroughPartitionsByReversedBits() {
        assertThat(plan("", 0).partitions()).containsExactly(0);
        assertThat(plan("", 1).partitions()).containsExactly(0, 1);
        assertThat(plan("", 3).partitions()).containsExactly(0, 4, 2, 6, 1, 5, 3, 7);
    }

    @Test
    void leavesOutPartitionsWhereNothingIsMeant() {
        int anna = (int) DocumentId.locationOfGroup("anna") & 15;
        DocumentId one = DocumentId.parse("id:ns:music::7");

        assertThat(plan("id.group == 'anna'", 4).partitions()).containsExactly(anna);
        assertThat(plan("id.user == 18", 4).partitions()).containsExactly(2);
        assertThat(plan("id.user == -1", 4).partitions()).containsExactly(15);
        assertThat(plan("id == '" + one + "'", 4).partitions())
                .containsExactly((int) one.location() & 15);
        assertThat(plan("id.user == 1 or id.user == 2", 4).partitions()).containsExactly(2, 1);
        assertThat(plan("id.user == 1 and id.user == 2", 4).partitions()).isEmpty();
        assertThat(plan("id.user == 1 or music.year == 2", 4).partitions()).hasSize(16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 16, 32, 40, 58})
    void findsThePartitionsOfABucket(int used) {
        long bits = 0x3_5432_1abc_dL & (1L << used) - 1;
        List<Integer> partitions =
                plan("id.bucket == " + ((long) used << 58 | bits), 4).partitions();

        assertThat(partitions).hasSize(1 << Math.max(0, 4 - used));
        int mask = (1 << Math.min(used, 4)) - 1;
        assertThat(partitions).allMatch(partition -> (partition & mask) == (bits & mask));
    }
}
