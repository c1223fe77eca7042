package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopKTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** By value, then by slice and row: as documents ids would, all rows differ. */
    private static final RowOrder ORDER =
            (slice, row, value, otherSlice, otherRow, otherValue) -> {
                int order = Double.compare(otherValue, value);
                if (order != 0) {
                    return order;
                }
                order = Integer.compare(slice, otherSlice);
                return order != 0 ? order : Integer.compare(row, otherRow);
            };

    private record Offer(int slice, int row, double value) {}

    @Test
    void keepsTheBestInWhateverOrderTheyCome() {
        var random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            int limit = 1 + random.nextInt(100);
            List<TopK> parts = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                parts.add(new TopK(ORDER, limit));
            }
            List<Offer> offers = new ArrayList<>();
            for (int i = random.nextInt(400); i > 0; i--) {
                var offer = new Offer(random.nextInt(3), i, random.nextInt(20));
                offers.add(offer);
                parts.get(random.nextInt(parts.size()))
                        .offer(offer.slice(), offer.row(), offer.value());
            }

            TopK merged = TopK.merge(parts, ORDER, limit);

            List<Offer> retained = new ArrayList<>();
            for (int i = 0; i < merged.size(); i++) {
                retained.add(new Offer(merged.slice(i), merged.row(i), merged.value(i)));
            }
            offers.sort(
                    Comparator.comparingDouble(Offer::value)
                            .reversed()
                            .thenComparingInt(Offer::slice)
                            .thenComparingInt(Offer::row));
            assertThat(retained)
                    .as("round %d, seed %d", round, SEED)
                    .isEqualTo(offers.subList(0, Math.min(limit, offers.size())));
        }
    }

    @Test
    void remembersSelectedRowsInRisingOrder() {
        var best = new TopK(ORDER, 10);
        for (int row : new int[] {7, 3, 9}) {
            best.offer(1, row, 1);
        }
        best.offer(2, 4, 1);

        NearestRows selected = NearestRows.of(List.of(best), 3);

        assertThat(selected.rows(0)).isEmpty();
        assertThat(selected.rows(1)).containsExactly(3, 7, 9);
        assertThat(selected.rows(2)).containsExactly(4);
    }
}
