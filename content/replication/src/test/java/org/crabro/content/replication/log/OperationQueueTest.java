package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.crabro.content.replication.log.OperationSessions.Stored;
import org.crabro.protocol.feed.OperationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationQueueTest {
    private record Change(long index, OperationId operation, Stored stored) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void hasWhatAQueueOfObjectsHas(long seed) {
        var random = new Random(seed);
        var queue = new OperationQueue();
        Deque<Change> expected = new ArrayDeque<>();
        long[] sessions = random.longs(3).toArray();
        long index = 0;
        for (int i = 0; i < 30_000; i++) {
            index += random.nextInt(10) / 9;
            long lowest = Math.max(0, i - random.nextInt(100));
            var operation =
                    new OperationId(
                            sessions[random.nextInt(sessions.length)],
                            lowest + random.nextInt(200),
                            lowest,
                            random.nextBoolean());
            var stored = new Stored(random.nextLong(), random.nextLong());
            queue.add(index, operation, stored);
            expected.add(new Change(index, operation, stored));
            if (random.nextInt(2_000) == 0) {
                assertRemoved(queue, expected, index - random.nextInt(300));
            }
        }
        assertRemoved(queue, expected, index - 1);
        assertRemoved(queue, expected, Long.MAX_VALUE);
        assertThat(expected).isEmpty();
    }

    @Test
    void keepsExtremeValues() {
        var queue = new OperationQueue();
        Deque<Change> expected = new ArrayDeque<>();
        for (long value : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1}) {
            var operation = new OperationId(value, Math.max(0, value), 0, false);
            var stored = new Stored(value, value);
            queue.add(Long.MAX_VALUE, operation, stored);
            expected.add(new Change(Long.MAX_VALUE, operation, stored));
        }

        assertRemoved(queue, expected, 0);
        assertRemoved(queue, expected, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "-1, 01",
        "1, 02",
        "63, 7e",
        "-64, 7f",
        "64, 8001",
        "-8192, ff7f",
        "8192, 808001",
        "1000000, 80897a",
        "-4294967296, ffffffff1f",
        "9223372036854775807, feffffffffffffffff01",
        "-9223372036854775808, ffffffffffffffffff01",
    })
    void writesNumbersInAsFewBytesAsTheyNeed(long number, String hex) {
        ByteBuffer bytes = ByteBuffer.allocate(10);

        OperationQueue.writeNumber(number, bytes);

        assertThat(HexFormat.of().formatHex(bytes.array(), 0, bytes.position())).isEqualTo(hex);
        assertThat(OperationQueue.readNumber(bytes.flip())).isEqualTo(number);
        assertThat(bytes.hasRemaining()).isFalse();
    }

    private static void assertRemoved(OperationQueue queue, Deque<Change> expected, long index) {
        List<OperationId> operations = new ArrayList<>();
        List<Stored> outcomes = new ArrayList<>();
        queue.removeUpTo(
                index,
                (operation, stored) -> {
                    operations.add(operation);
                    outcomes.add(stored);
                });
        List<OperationId> expectedOperations = new ArrayList<>();
        List<Stored> expectedOutcomes = new ArrayList<>();
        while (!expected.isEmpty() && expected.getFirst().index <= index) {
            Change change = expected.removeFirst();
            OperationId id = change.operation;
            expectedOperations.add(new OperationId(id.session(), id.number(), id.lowest(), false));
            expectedOutcomes.add(change.stored);
        }
        assertThat(operations).isEqualTo(expectedOperations);
        assertThat(outcomes).isEqualTo(expectedOutcomes);
    }
}
