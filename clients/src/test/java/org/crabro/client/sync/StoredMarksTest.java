package org.crabro.client.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.crabro.client.sync.StoredMarks.Change;
import org.junit.jupiter.api.Test;

class StoredMarksTest {
    @Test
    void comparesDocumentsWithStoredOnes() {
        var marks = new StoredMarks(10);
        marks.add("a", 1, true);
        marks.add("b", 2, true);
        marks.add("c", 3, true);
        marks.add("other", 4, false);

        assertThat(marks.present("a", 1)).isEqualTo(Change.UNCHANGED);
        assertThat(marks.present("b", 9)).isEqualTo(Change.CHANGED);
        assertThat(marks.present("d", 5)).isEqualTo(Change.NEW);
        assertThat(marks.gone()).isEqualTo(1);
        assertThat(marks.isGone("c", 3)).isTrue();
        assertThat(marks.isGone("c", 4)).as("somebody has changed it").isFalse();
        assertThat(marks.isGone("a", 1)).isFalse();
        assertThat(marks.isGone("other", 4)).isFalse();
        assertThat(marks.isGone("unheard of", 0)).isFalse();
        assertThat(marks.present("other", 4)).as("of another source").isEqualTo(Change.CHANGED);
    }

    @Test
    void hasABound() {
        var marks = new StoredMarks(2);

        assertThat(marks.add("a", 1, true)).isTrue();
        assertThat(marks.add("b", 1, true)).isTrue();
        assertThat(marks.add("c", 1, true)).isFalse();
        assertThat(marks.present("d", 1)).isEqualTo(Change.NEW);
        assertThat(marks.gone()).isEqualTo(2);
    }

    @Test
    void equalsAMapOfTheSameDocuments() {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        var marks = new StoredMarks(100_000);
        Map<String, Long> map = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            String id = "id" + random.nextInt(100_000);
            long hash = random.nextInt(4);
            if (map.put(id, hash) == null) {
                marks.add(id, hash, true);
            } else {
                map.put(id, hash);
                marks.add(id, hash, true);
            }
        }
        assertThat(marks.gone()).as("seed %d", seed).isEqualTo(map.size());
        for (int i = 0; i < 50_000; i++) {
            String id = "id" + random.nextInt(100_000);
            long hash = random.nextInt(4);
            Long before = map.put(id, hash);
            Change expected =
                    before == null
                            ? Change.NEW
                            : before == hash ? Change.UNCHANGED : Change.CHANGED;
            assertThat(marks.present(id, hash)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void readsMarksOfItsOwnOnly() {
        var mark = new ImportMark(-2, "/srv/my \"notes\"\nx");

        assertThat(ImportMark.parse(mark.text())).contains(mark);
        assertThat(ImportMark.parse("")).isEmpty();
        assertThat(ImportMark.parse("fffffffffffffffe")).isEmpty();
        assertThat(ImportMark.parse("FFFFFFFFFFFFFFFE x")).isEmpty();
        assertThat(ImportMark.parse("fffffffffffffffe ")).isEmpty();
    }
}
