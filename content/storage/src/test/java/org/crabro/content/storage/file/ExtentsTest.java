package org.crabro.content.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExtentsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final long KIB = 1 << 10;

    @Test
    void roundsToPages() {
        assertThat(joined(5, 4_096, 4_097, 4_098)).containsExactly("0-8192");
        assertThat(joined(8_192, 8_192)).isEmpty();
    }

    @Test
    void joinsWhatLiesNearInAnyOrder() {
        assertThat(joined(800 * KIB, 900 * KIB, 100 * KIB, 300 * KIB, 308 * KIB, 320 * KIB))
                .containsExactly("102400-327680", "819200-921600");
    }

    @Test
    void keepsApartWhatLiesFarApart() {
        assertThat(joined(0, 64 * KIB, 76 * KIB, 200 * KIB))
                .containsExactly("0-65536", "77824-204800");
    }

    @Test
    void readsFewBytesInFewReads() {
        assertThat(joined(0, 8 * KIB, 30 * KIB, 31 * KIB)).containsExactly("0-32768");
        assertThat(joined(0, 8 * KIB, 44 * KIB, 48 * KIB)).hasSize(2);
        assertThat(joined(0, 20 * KIB, 48 * KIB, 60 * KIB, 80 * KIB, 84 * KIB))
                .containsExactly("0-61440", "81920-86016");
    }

    @Test
    void acceptsManyRanges() {
        var extents = new Extents();
        for (int i = 99; i >= 0; i--) {
            extents.add(64 * KIB * i, 64 * KIB * i + 1);
        }

        Extents joined = extents.joined();

        assertThat(joined.count()).isEqualTo(100);
        assertThat(joined.size()).isEqualTo(100L * Extents.PAGE);
    }

    private static List<String> joined(long... bounds) {
        var extents = new Extents();
        for (int i = 0; i < bounds.length; i += 2) {
            extents.add(bounds[i], bounds[i + 1]);
        }
        Extents joined = extents.joined();
        var texts = new ArrayList<String>();
        for (int i = 0; i < joined.count(); i++) {
            texts.add(joined.from(i) + "-" + joined.to(i));
        }
        return texts;
    }

    @Test
    void leavesOutWhatOthersHave() {
        var random = new Random(SEED);
        for (int i = 0; i < 500; i++) {
            var pages = new BitSet();
            var otherPages = new BitSet();
            Extents left = random(random, pages).without(random(random, otherPages));

            pages.andNot(otherPages);
            var remaining = new BitSet();
            for (int j = 0; j < left.count(); j++) {
                int from = (int) (left.from(j) / Extents.PAGE);
                int to = (int) (left.to(j) / Extents.PAGE);
                assertThat(remaining.nextSetBit(from)).as("seed %d", SEED).isEqualTo(-1);
                remaining.set(from, to);
            }
            assertThat(remaining).as("seed %d", SEED).isEqualTo(pages);
        }
    }

    private static Extents random(Random random, BitSet pages) {
        var extents = new Extents();
        for (int i = random.nextInt(6); i > 0; i--) {
            int from = random.nextInt(400);
            int to = from + random.nextInt(12);
            extents.add((long) from * Extents.PAGE, (long) to * Extents.PAGE);
        }
        Extents joined = extents.joined();
        for (int i = 0; i < joined.count(); i++) {
            pages.set((int) (joined.from(i) / Extents.PAGE), (int) (joined.to(i) / Extents.PAGE));
        }
        return joined;
    }
}
