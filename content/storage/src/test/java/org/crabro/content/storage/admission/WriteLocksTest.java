package org.crabro.content.storage.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.content.storage.store.Notes;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class WriteLocksTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    private final WriteLocks locks = new WriteLocks();

    @Test
    void sharesWithWritesAndExcludesUpdatesAndRemovals() {
        var random = new Random(SEED);
        for (int count = 0; count < 200; count++) {
            List<DocumentId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(id(random.nextInt(40)));
            }

            WriteLock several = locks.shared(ids);

            String what = "%d ids, seed %d".formatted(count, SEED);
            assertThat(several.acquire(NOW)).as(what).isTrue();
            assertThat(ids).as(what).noneMatch(id -> isInGroup(id) && remove(id));
            assertThat(ids).as(what).noneMatch(this::update);
            several.release();
            assertThat(ids).as(what).allMatch(id -> !isInGroup(id) || remove(id));
            assertThat(ids).as(what).allMatch(this::update);
        }
    }

    /** Puts of the same documents do not wait for each other. */
    @Test
    void letsManyWriteTheSameDocuments() {
        List<DocumentId> ids = List.of(id(1), id(2), id(3));
        WriteLock several = locks.shared(ids);

        assertThat(several.acquire(NOW)).isTrue();
        assertThat(several.acquire(NOW)).isTrue();
        assertThat(ids).allMatch(id -> locks.shared(id).acquire(NOW));
    }

    @Test
    void updatesADocumentAlone() {
        assertThat(locks.exclusive(id(1)).acquire(NOW)).isTrue();

        assertThat(locks.shared(id(1)).acquire(NOW)).isFalse();
        assertThat(locks.shared(List.of(id(2), id(1))).acquire(NOW)).isFalse();
        assertThat(locks.exclusive(id(1)).acquire(NOW)).isFalse();
        assertThat(remove(id(1))).isFalse();
        assertThat(locks.shared(id(2)).acquire(NOW)).isTrue();
        locks.exclusive(id(1)).release();

        assertThat(locks.shared(id(1)).acquire(NOW)).isTrue();
        locks.shared(id(1)).release();
        assertThat(remove(id(1))).isTrue();
    }

    @Test
    void sharesNothingWhereItCannotShareAll() {
        assertThat(locks.exclusive(id(4)).acquire(NOW)).isTrue();

        assertThat(locks.shared(List.of(id(1), id(3), id(4))).acquire(NOW)).isFalse();

        assertThat(remove(id(1))).isTrue();
        assertThat(remove(id(3))).isTrue();
        assertThat(update(id(1))).isTrue();
        assertThat(update(id(3))).isTrue();
    }

    private static boolean isInGroup(DocumentId id) {
        return !(id.key() instanceof LocationKey.Plain);
    }

    /** Returns whether the group of a document can be removed. */
    private boolean remove(DocumentId id) {
        return canBeAcquired(locks.exclusive(id.documentType(), id.key()));
    }

    /** Returns whether a document can be updated. */
    private boolean update(DocumentId id) {
        return canBeAcquired(locks.exclusive(id));
    }

    /** Acquires a lock if it is free, and releases it again. */
    private static boolean canBeAcquired(WriteLock lock) {
        boolean isAcquired = lock.acquire(NOW);
        if (isAcquired) {
            lock.release();
        }
        return isAcquired;
    }

    private static DocumentId id(int number) {
        return number % 2 == 0
                ? Notes.plain(number)
                : DocumentId.parse("id:n:note:g=g%d:%d".formatted(number % 5, number));
    }
}
