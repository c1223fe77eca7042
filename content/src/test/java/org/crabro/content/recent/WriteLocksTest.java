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

class WriteLocksTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    private final WriteLocks locks = new WriteLocks();

    @Test
    void sharesWithWhomeverWritesAndWithNobodyElse() {
        var random = new Random(SEED);
        for (int count = 0; count < 200; count++) {
            List<DocumentId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(id(random.nextInt(40)));
            }

            WriteLocks.Several several = locks.several(ids);

            String what = "%d ids, seed %d".formatted(count, SEED);
            assertThat(locks.share(several, NOW)).as(what).isTrue();
            assertThat(ids).as(what).noneMatch(id -> isInGroup(id) && remove(id));
            assertThat(ids).as(what).noneMatch(this::update);
            locks.unshare(several);
            assertThat(ids).as(what).allMatch(id -> !isInGroup(id) || remove(id));
            assertThat(ids).as(what).allMatch(this::update);
        }
    }

    /** Writers of the same documents need not wait for each other. */
    @Test
    void letsManyWriteTheSameDocuments() {
        List<DocumentId> ids = List.of(id(1), id(2), id(3));
        WriteLocks.Several several = locks.several(ids);

        assertThat(locks.share(several, NOW)).isTrue();
        assertThat(locks.share(several, NOW)).isTrue();
        assertThat(ids).allMatch(id -> locks.share(id, NOW));
    }

    @Test
    void updatesADocumentAlone() {
        assertThat(locks.holdDocument(id(1), NOW)).isTrue();

        assertThat(locks.share(id(1), NOW)).isFalse();
        assertThat(locks.share(locks.several(List.of(id(2), id(1))), NOW)).isFalse();
        assertThat(locks.holdDocument(id(1), NOW)).isFalse();
        assertThat(remove(id(1))).isFalse();
        assertThat(locks.share(id(2), NOW)).isTrue();
        locks.letGoDocument(id(1));

        assertThat(locks.share(id(1), NOW)).isTrue();
        locks.unshare(id(1));
        assertThat(remove(id(1))).isTrue();
    }

    @Test
    void sharesNothingWhereItCannotShareAll() {
        assertThat(locks.holdDocument(id(4), NOW)).isTrue();

        assertThat(locks.share(locks.several(List.of(id(1), id(3), id(4))), NOW)).isFalse();

        assertThat(remove(id(1))).isTrue();
        assertThat(remove(id(3))).isTrue();
        assertThat(update(id(1))).isTrue();
        assertThat(update(id(3))).isTrue();
    }

    private static boolean isInGroup(DocumentId id) {
        return !(id.key() instanceof LocationKey.Plain);
    }

    /** Returns whether the group of a document could be held; it is not any more then. */
    private boolean remove(DocumentId id) {
        boolean isHeld = locks.holdGroup(id.documentType(), id.key(), NOW);
        if (isHeld) {
            locks.letGoGroup(id.documentType(), id.key());
        }
        return isHeld;
    }

    /** Returns whether a document could be held; it is not any more then. */
    private boolean update(DocumentId id) {
        boolean isHeld = locks.holdDocument(id, NOW);
        if (isHeld) {
            locks.letGoDocument(id);
        }
        return isHeld;
    }

    private static DocumentId id(int number) {
        return number % 2 == 0
                ? Notes.plain(number)
                : DocumentId.parse("id:n:note:g=g%d:%d".formatted(number % 5, number));
    }
}
