package org.crabro.content.storage.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.crabro.content.storage.store.Notes;
import org.crabro.protocol.feed.Write;
import org.junit.jupiter.api.Test;

class RowGroupTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void keepsTheOrderOfEachPartitionInGroupsThatMayBeProposed() {
        var random = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            List<Write.Row> writes = new ArrayList<>();
            List<Integer> indexes = new ArrayList<>();
            Map<Integer, List<Integer>> expected = new HashMap<>();
            for (int i = 0; i < 300; i++) {
                int length = 1 + random.nextInt(i % 50 == 0 ? 400_000 : 20_000);
                writes.add(new Write.Row(random.nextInt(4), Notes.plain(i), new byte[length]));
                if (random.nextInt(10) > 0) {
                    indexes.add(i);
                    int partition = writes.get(i).partition();
                    expected.computeIfAbsent(partition, _ -> new ArrayList<>()).add(i);
                }
            }

            Map<Integer, List<Integer>> byPartition = new HashMap<>();
            int[] all = indexes.stream().mapToInt(i -> i).toArray();
            for (RowGroup group : RowGroup.of(writes, all)) {
                List<Integer> ofGroup =
                        IntStream.range(0, group.rows().size()).mapToObj(group::index).toList();
                assertThat(group.rows())
                        .as("round %d, seed %d", round, SEED)
                        .isEqualTo(ofGroup.stream().map(i -> writes.get(i).bytes()).toList());
                long bytes = group.rows().stream().mapToLong(row -> row.length).sum();
                assertThat(bytes <= Journal.PROPOSAL_BYTES || group.rows().size() == 1).isTrue();
                byPartition
                        .computeIfAbsent(group.partition(), _ -> new ArrayList<>())
                        .addAll(ofGroup);
            }
            assertThat(byPartition).as("round %d, seed %d", round, SEED).isEqualTo(expected);
        }
    }
}
