package org.crabro.content.recent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class GroupLocksTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    @Test
    void sharesEachStripeOnceHoweverOftenAGroupComes() {
        var random = new Random(SEED);
        var locks = new GroupLocks();
        for (int count = 0; count < 200; count++) {
            List<DocumentId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(id(random.nextInt(40)));
            }

            int[] stripes = GroupLocks.stripes(ids);

            String what = "%d ids, seed %d".formatted(count, SEED);
            assertThat(stripes).as(what).isSorted().doesNotHaveDuplicates();
            assertThat(locks.share(stripes, NOW)).as(what).isTrue();
            assertThat(ids).as(what).noneMatch(id -> isInGroup(id) && remove(locks, id));
            locks.unshare(stripes);
            assertThat(ids).as(what).allMatch(id -> !isInGroup(id) || remove(locks, id));
        }
    }

    /** Writers of the same documents need not wait for each other. */
    @Test
    void letsManyWriteTheSameDocuments() {
        var locks = new GroupLocks();
        List<DocumentId> ids = List.of(id(1), id(2), id(3));
        int[] stripes = GroupLocks.stripes(ids);

        assertThat(locks.share(stripes, NOW)).isTrue();
        assertThat(locks.share(stripes, NOW)).isTrue();
        assertThat(ids).allMatch(id -> locks.share(id, NOW));
    }

    private static boolean isInGroup(DocumentId id) {
        return !(id.key() instanceof LocationKey.Plain);
    }

    /** Returns whether the group of a document could be locked; it is not any more then. */
    private static boolean remove(GroupLocks locks, DocumentId id) {
        boolean isLocked = locks.lock(id.documentType(), id.key(), NOW);
        if (isLocked) {
            locks.unlock(id.documentType(), id.key());
        }
        return isLocked;
    }

    private static DocumentId id(int number) {
        return number % 2 == 0
                ? Notes.plain(number)
                : DocumentId.parse("id:n:note:g=g%d:%d".formatted(number % 5, number));
    }
}
