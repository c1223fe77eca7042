package org.crabro.content.recent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecentGroupTest {
    private static final StoredTypes TYPES = _ -> Optional.of(Notes.TYPE);

    private final Arena memory = Arena.ofShared();
    private final RecentGroup group = new RecentGroup();
    private final Map<Integer, Integer> newest = new HashMap<>();

    @AfterEach
    void close() {
        group.close();
        memory.close();
    }

    @Test
    void sealsWhatCanBecomeNoMoreAndKeepsItsBlock() {
        addTo(RecentBlock.ROWS_MAX + 10);
        RecentGroup.Moment first = group.moment(memory, TYPES);
        addTo(RecentBlock.ROWS_MAX + 11);
        RecentGroup.Moment second = group.moment(memory, TYPES);

        assertThat(first.blocks()).hasSize(2);
        assertThat(first.blocks().getFirst().to()).isEqualTo(RecentBlock.ROWS_MAX);
        assertThat(second.blocks().getFirst()).isSameAs(first.blocks().getFirst());
        assertThat(second.blocks().getLast()).isNotSameAs(first.blocks().getLast());

        first.release();
        second.release();
    }

    @Test
    void keepsTheTailUntilTheNextWrite() {
        addTo(5);
        RecentGroup.Moment first = group.moment(memory, TYPES);
        RecentGroup.Moment second = group.moment(memory, TYPES);

        assertThat(second.blocks().getFirst()).isSameAs(first.blocks().getFirst());

        first.release();
        second.release();
    }

    /** Moments taken along the way all show what was newest then, whatever was added since. */
    @Test
    void everyMomentStaysAsItWas() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        List<RecentGroup.Moment> moments = new ArrayList<>();
        List<Map<Integer, Integer>> expected = new ArrayList<>();
        for (int version = 0; version < 5_000; version++) {
            add(random.nextInt(1_500), version);
            if (random.nextInt(250) == 0) {
                moments.add(group.moment(memory, TYPES));
                expected.add(Map.copyOf(newest));
            }
        }

        for (int i = 0; i < moments.size(); i++) {
            assertThat(seen(moments.get(i)))
                    .as("moment %d, seed %d", i, seed)
                    .isEqualTo(expected.get(i));
            moments.get(i).release();
        }
    }

    private static Map<Integer, Integer> seen(RecentGroup.Moment moment) {
        Map<Integer, Integer> seen = new HashMap<>();
        for (RecentBlock block : moment.blocks()) {
            BlockSlice slice = block.slice(moment.count(), 0);
            for (int row = slice.from(); row < slice.to(); row++) {
                if (!slice.dead().has(row)) {
                    int number = Integer.parseInt(slice.block().id(row).user());
                    Integer before = seen.put(number, (int) slice.block().timestamp(row));
                    assertThat(before).as("document %d is seen twice", number).isNull();
                }
            }
        }
        return seen;
    }

    private void addTo(int count) {
        for (int i = group.count(); i < count; i++) {
            add(i, i);
        }
    }

    private void add(int number, int version) {
        var row =
                new Row(
                        Notes.id("a", number),
                        version,
                        Notes.TYPE.fingerprint(),
                        false,
                        Map.of("text", new FieldValue.StringValue("")));
        MemorySegment bytes = MemorySegment.ofArray(RowEncoding.encode(row, Notes.TYPE));
        for (int i = group.count() - 1; i >= 0 && newest.containsKey(number); i--) {
            if (RowEncoding.id(group.row(i)).equals(row.id())) {
                group.replaceByNext(i);
                break;
            }
        }
        group.add(bytes);
        newest.put(number, version);
    }
}
