package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A large flush may find no room on the heap. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlushMemoryTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private static final RecentSettings SETTINGS =
            RecentSettings.DEFAULT
                    .withRecentBytes(20_000)
                    .withFeed(FeedLimits.DEFAULT.withReservedBytes(0))
                    .withFlushWait(Duration.ofSeconds(30))
                    .withRetryAfter(Duration.ofMillis(10));

    @RegisterExtension
    final FaultyLogFiles files = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 20_26)));

    @Test
    void triesAgainAfterAFlushWithoutRoomOnTheHeap() throws IOException {
        var left = new AtomicInteger(3);
        try (DocumentStore store =
                DocumentStore.open(
                        failingFirst(files, left),
                        StoreOptions.of(Notes.PARTITIONS.count(), SETTINGS, CLOCK))) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            for (int i = 0; i < 200; i++) {
                // Above twice the budget a write waits until a flush has succeeded.
                assertThat(Notes.put(store, Notes.id("a", i), "x".repeat(1_000)))
                        .isInstanceOf(WriteReply.Stored.class);
            }

            assertThat(left).hasNonPositiveValue();
            assertThat(store.statistics().held().documents()).isEqualTo(200);
        }
    }

    /** Returns files whose first few runs fail for lack of memory. */
    private static LogFiles failingFirst(LogFiles files, AtomicInteger left) {
        return (LogFiles)
                Proxy.newProxyInstance(
                        LogFiles.class.getClassLoader(),
                        new Class<?>[] {LogFiles.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("create")
                                    && ((String) arguments[0]).endsWith(".run")
                                    && left.getAndDecrement() > 0) {
                                throw new OutOfMemoryError("no room");
                            }
                            try {
                                return method.invoke(files, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
