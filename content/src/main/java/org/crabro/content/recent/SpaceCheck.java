package org.crabro.content.recent;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.journal.LogFiles;

/**
 * Admits writes while the disk has more bytes free than are kept for flushing. Asks the system once
 * per so many bytes written, the more often the fewer are left, and at every write while there are
 * too few.
 */
final class SpaceCheck {
    private static final long BYTES_PER_QUESTION = 1 << 20;

    private final LogFiles files;
    private final long reserved;
    private final AtomicLong bytesUntilQuestion = new AtomicLong();

    SpaceCheck(LogFiles files, long reserved) {
        this.files = files;
        this.reserved = reserved;
    }

    /** Returns why a write of {@code bytes} is not admitted, or nothing where it is. */
    Optional<String> refusal(long bytes) {
        if (bytesUntilQuestion.addAndGet(-bytes) > 0) {
            return Optional.empty();
        }
        long free;
        try {
            free = files.freeBytes();
        } catch (IOException e) {
            return Optional.of("the free space is not known: " + e.getMessage());
        }
        if (free < reserved + bytes) {
            return Optional.of(
                    "%d bytes are free on the disk, and %d are kept for flushing"
                            .formatted(free, reserved));
        }
        // The journal rounds batches up, and fills files ahead.
        bytesUntilQuestion.set(Math.min(BYTES_PER_QUESTION, (free - reserved) / 8));
        return Optional.empty();
    }
}
