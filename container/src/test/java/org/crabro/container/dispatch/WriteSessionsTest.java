package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.protocol.feed.OperationId;
import org.junit.jupiter.api.Test;

class WriteSessionsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final AtomicLong names = new AtomicLong();
    private final WriteSessions sessions = new WriteSessions(names::incrementAndGet);

    @Test
    void numbersRiseAndTheLowestIsWithoutAReply() {
        WriteSessions.Numbers first = sessions.take(0, 1).orElseThrow();
        WriteSessions.Numbers second = sessions.take(0, 2).orElseThrow();
        WriteSessions.Numbers other = sessions.take(1, 1).orElseThrow();

        assertThat(first.id(0, false)).isEqualTo(new OperationId(1, 0, 0, false));
        assertThat(second.id(1, true)).isEqualTo(new OperationId(1, 2, 0, true));
        assertThat(other.id(0, false)).isEqualTo(new OperationId(2, 0, 0, false));

        first.close();

        assertThat(second.id(1, true)).isEqualTo(new OperationId(1, 2, 1, true));
    }

    @Test
    void usesAnotherSessionWhileTheFirstOneIsFull() {
        WriteSessions.Numbers slow = sessions.take(0, 1).orElseThrow();
        for (int i = 1; i < WriteSessions.NUMBERS; i++) {
            sessions.take(0, 1).orElseThrow().close();
        }

        assertThat(sessions.take(0, 1).orElseThrow().id(0, false).session()).isEqualTo(2);
        slow.close();
        assertThat(sessions.take(0, 1).orElseThrow().id(0, false))
                .isEqualTo(new OperationId(1, WriteSessions.NUMBERS, WriteSessions.NUMBERS, false));
    }

    @Test
    void sessionsAreBounded() {
        for (int i = 0; i < WriteSessions.SESSIONS_MAX; i++) {
            assertThat(sessions.take(0, WriteSessions.NUMBERS)).isPresent();
        }
        assertThat(sessions.take(0, 1)).isEmpty();
        assertThat(sessions.take(1, 1)).isPresent();
    }

    /** A node that remembers the outcomes from the lowest number on remembers all it needs. */
    @Test
    void nodesRememberWhatCanBeSentAgain() {
        var random = new Random(SEED);
        List<WriteSessions.Numbers> open = new ArrayList<>();
        Map<WriteSessions.Numbers, Integer> counts = new HashMap<>();
        Set<OperationId> seen = new HashSet<>();
        for (int round = 0; round < 20_000; round++) {
            if (!open.isEmpty() && random.nextInt(100) < 52) {
                // Some writes stay without a reply for long.
                open.remove(open.size() - 1 - random.nextInt(Math.min(open.size(), 9))).close();
                continue;
            }
            int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 500 : 3);
            WriteSessions.Numbers taken = sessions.take(random.nextInt(2), count).orElseThrow();
            open.add(taken);
            counts.put(taken, count);
            for (int i = 0; i < count; i++) {
                OperationId id = taken.id(i, false);
                assertThat(seen.add(new OperationId(id.session(), id.number(), 0, false)))
                        .as("%s, seed %d", id, SEED)
                        .isTrue();
            }
            WriteSessions.Numbers any = open.get(random.nextInt(open.size()));
            OperationId id = any.id(random.nextInt(counts.getOrDefault(any, 1)), true);
            assertThat(id.number() - id.lowest())
                    .as("%s, seed %d", id, SEED)
                    .isBetween(0L, WriteSessions.NUMBERS - 1L);
        }
    }
}
