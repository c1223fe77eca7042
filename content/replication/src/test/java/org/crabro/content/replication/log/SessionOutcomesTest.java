package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.content.replication.log.OperationSessions.Stored;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionOutcomesTest {
    /** The numbers of operations that are carried out differ by so much from their order. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void areThoseOfAMap(long seed) {
        var random = new Random(seed);
        var outcomes = new SessionOutcomes();
        var expected = new TreeMap<Long, Stored>();
        int disorder = 1 << random.nextInt(8);
        long lowest = 0;
        for (long next = 0; next < 3_000; next++) {
            long number = next + random.nextInt(disorder);
            var stored = new Stored(random.nextLong(), random.nextLong());
            outcomes.put(number, stored);
            expected.put(number, stored);
            if (random.nextInt(20) == 0) {
                lowest = Math.max(lowest, next - random.nextInt(1 + 2 * disorder));
                outcomes.removeBelow(lowest);
                expected.headMap(lowest).clear();
            }

            assertThat(outcomes.size()).isEqualTo(expected.size());
            long asked = lowest + random.nextInt(2 + (int) (next - lowest) + disorder);
            assertThat(outcomes.get(asked)).isEqualTo(Optional.ofNullable(expected.get(asked)));
            if (!expected.isEmpty()) {
                assertThat(outcomes.lowest()).isEqualTo(expected.firstKey());
            }
        }
        assertThat(encoded(outcomes)).isEqualTo(encoded(expected));
    }

    private static byte[] encoded(SessionOutcomes outcomes) {
        ByteBuffer bytes = ByteBuffer.allocate(outcomes.size() * SessionOutcomes.BYTES);
        outcomes.encode(bytes);
        return bytes.array();
    }

    private static byte[] encoded(Map<Long, Stored> outcomes) {
        ByteBuffer bytes = ByteBuffer.allocate(outcomes.size() * SessionOutcomes.BYTES);
        outcomes.forEach((number, stored) ->
                bytes.putLong(number).putLong(stored.timestamp()).putLong(stored.position()));
        return bytes.array();
    }
}
