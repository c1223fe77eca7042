package org.crabro.content.storage.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.store.Notes;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowsInOrderTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final Random random = new Random(SEED);

    private record Added(int group, long place, long document, RowKey key) {}

    /**
     * Groups of one row, of some rows, and of more than are sorted in one piece; with distinct
     * hashes, and with equal ones.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 1000, 1000",
        "1, 1, 1000, 1000",
        "2000, 2000, 1000000000, 1000000000",
        "2000, 150, 1000000000, 1000000000",
        "2000, 3, 1000000000, 1000000000",
        "2000, 1, 1000000000, 1000000000",
        "2000, 150, 1000000000, 5",
        "2000, 150, 20, 1000000000",
        "2000, 150, 3, 3"
    })
    void putsRowsIntoTheOrderOfTheirKeys(int count, int groups, int places, int documents) {
        try (var arena = Arena.ofConfined()) {
            var rows = new RecentRows(arena, new RowMemory(0));
            var inOrder = new RowsInOrder(rows);
            List<Added> added = new ArrayList<>();
            var placeOf = new long[groups];
            for (int group = 0; group < groups; group++) {
                // With and without the highest bit: order is unsigned.
                placeOf[group] = random.nextLong(places) - places / 2;
            }
            for (int i = 0; i < count; i++) {
                // Rows of a group one after another, as they are chained.
                int group = (int) ((long) i * groups / count);
                long document = random.nextLong(documents) - documents / 2;
                DocumentId id = Notes.id("group" + group, i);
                var row = new Row(id, 1, Notes.TYPE.fingerprint(), true, Map.of());
                int address = rows.add(RowEncoding.encode(row, Notes.TYPE), 0);
                inOrder.add(address, group, placeOf[group], document);
                added.add(new Added(group, placeOf[group], document, RowKey.of(id)));
            }

            int[] sorted = inOrder.sorted();

            List<Added> expected = new ArrayList<>(added);
            expected.sort(RowsInOrderTest::compare);
            List<Added> result = new ArrayList<>();
            for (int index : sorted) {
                result.add(added.get(index));
            }
            assertThat(result).as("seed %d", SEED).isEqualTo(expected);
        }
    }

    private static int compare(Added one, Added other) {
        int byPlace = Long.compareUnsigned(one.place(), other.place());
        if (byPlace != 0) {
            return byPlace;
        }
        if (one.group() != other.group() || one.document() == other.document()) {
            return Comparator.comparing(Added::key).compare(one, other);
        }
        return Long.compareUnsigned(one.document(), other.document());
    }
}
