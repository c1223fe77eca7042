package org.crabro.content.storage.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.memtable.RecentScope;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the size of a group, per document type. The size is computed at the first put into the
 * group: each block of a view counts by its share of live rows. Later puts add their bytes, even if
 * they replace rows. When the sum reaches the limit, the size is computed again, at most once per
 * second. So the size is approximate, and too low only by the puts that run at the same time.
 */
final class GroupSizes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupSizes.class);

    /** The number of groups whose size is kept: the most recently used ones. */
    private static final int GROUPS_MAX = 1 << 16;

    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(1);

    private final long limit;
    private final InstantSource clock;

    /** The computation touches mappings, and writers may be virtual threads. */
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("group-sizes").daemon().factory());

    private final Map<RecentScope, Size> sizes =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<RecentScope, Size> eldest) {
                    return size() > GROUPS_MAX;
                }
            };

    private static final class Size {
        // Guarded by this.
        private long bytes;
        private Instant countedAt = Instant.MIN;
    }

    /**
     * @param limit bytes; 0 for no limit
     */
    GroupSizes(long limit, InstantSource clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /** Returns why a put of {@code bytes} is refused; empty if it is admitted. */
    Optional<String> refusal(Partition partition, DocumentId id, long bytes) {
        if (limit == 0) {
            return Optional.empty();
        }
        if (id.key() instanceof LocationKey.Plain) {
            return Optional.empty();
        }
        return refusal(partition, RecentScope.of(id.documentType(), id.key()), id.key(), bytes);
    }

    /** Discards the size of a removed group; the next put computes it again. */
    void removed(String documentType, LocationKey group) {
        synchronized (sizes) {
            sizes.remove(RecentScope.of(documentType, group));
        }
    }

    private Optional<String> refusal(
            Partition partition, RecentScope scope, LocationKey key, long bytes) {
        Size size;
        synchronized (sizes) {
            size = sizes.computeIfAbsent(scope, _ -> new Size());
        }
        synchronized (size) {
            Instant now = clock.instant();
            boolean isCounted = !size.countedAt.equals(Instant.MIN);
            if (!isCounted
                    || (size.bytes + bytes > limit
                            && !now.isBefore(size.countedAt.plus(BETWEEN_COUNTS)))) {
                try {
                    size.bytes = thread.submit(() -> count(partition, scope)).get();
                } catch (ExecutionException e) {
                    LOG.warn("The size of a group is unknown", e);
                    return Optional.of(
                            "the size of group '%s' is unknown: %s"
                                    .formatted(key.text(), e.getCause()));
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    return Optional.of(
                            "interrupted while group '%s' was counted".formatted(key.text()));
                }
                size.countedAt = now;
            }
            if (size.bytes + bytes > limit) {
                return Optional.of(
                        "group '%s' has about %,d bytes of type '%s' (configured limit %,d)"
                                .formatted(key.text(), size.bytes, scope.documentType(), limit));
            }
            size.bytes += bytes;
            return Optional.empty();
        }
    }

    private static long count(Partition partition, RecentScope scope) {
        double bytes = 0;
        try (View view = partition.view()) {
            for (BlockSlice slice : view.slices(scope.documentType(), scope.range())) {
                EncodedBlock block = slice.block();
                bytes += (double) block.byteSize() * slice.liveCount() / block.rowCount();
            }
        }
        return (long) bytes;
    }

    @Override
    public void close() {
        thread.close();
    }
}
