package org.crabro.content.recent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class IdLocksTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void locksEachStripeOnceHoweverOftenAnIdComes() {
        var random = new Random(SEED);
        var locks = new IdLocks();
        Deadline now = Deadline.after(Duration.ZERO);
        for (int count = 0; count < 200; count++) {
            List<DocumentId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(id(random.nextInt(40)));
            }

            int[] stripes = IdLocks.stripes(ids);

            String what = "%d ids, seed %d".formatted(count, SEED);
            assertThat(stripes).as(what).isSorted().doesNotHaveDuplicates();
            assertThat(locks.lock(stripes, now)).as(what).isTrue();
            assertThat(ids).as(what).noneMatch(id -> locks.lock(id, now));
            locks.unlock(stripes);
            for (DocumentId id : ids) {
                assertThat(locks.lock(id, now)).as(what).isTrue();
                locks.unlock(id);
            }
        }
    }

    private static DocumentId id(int number) {
        return number % 2 == 0
                ? Notes.plain(number)
                : DocumentId.parse("id:n:note:g=g%d:%d".formatted(number % 5, number));
    }
}
