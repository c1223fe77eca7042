package org.crabro.content.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ReferenceCountTest {
    @Test
    void theLastReleaseIsReported() {
        var holders = new ReferenceCount();
        holders.hold();
        assertTrue(holders.tryHold());
        assertFalse(holders.release());
        assertFalse(holders.release());
        assertTrue(holders.release());
    }

    @Test
    void cannotBeHeldAfterTheLastRelease() {
        var holders = new ReferenceCount();
        assertTrue(holders.release());
        assertFalse(holders.tryHold());
    }

    @Test
    void ofManyThreadsOneIsTheLast() throws Exception {
        var holders = new ReferenceCount();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            var parts = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 8; i++) {
                parts.add(threads.submit(() -> holdAndRelease(holders)));
            }
            int told = holders.release() ? 1 : 0;
            for (Future<Integer> part : parts) {
                told += part.get();
            }
            assertEquals(1, told);
        }
    }

    private static int holdAndRelease(ReferenceCount holders) {
        int told = 0;
        for (int i = 0; i < 10_000 && holders.tryHold(); i++) {
            told += holders.release() ? 1 : 0;
        }
        return told;
    }
}
