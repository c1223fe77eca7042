package org.crabro.content.storage.store;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.crabro.content.storage.commit.AbsentJournal;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.document.DocumentType;

/** The shards of a node, and their journals as a whole. */
final class Shards implements AutoCloseable {
    private final List<Partition> partitions;
    private final ShardJournals journals;
    private final Journal.Applier applier;
    private volatile List<Shard> all = List.of();

    /**
     * @param partitions of the node, by number. A partition may be replaced while its shard has no
     *     journal
     * @param applier makes durable rows of any partition visible
     */
    Shards(List<Partition> partitions, ShardJournals journals, Journal.Applier applier) {
        this.partitions = partitions;
        this.journals = journals;
        this.applier = applier;
    }

    /**
     * Starts a journal for each shard with a replica here. Called once, before all other methods;
     * journals may pass rows at once.
     */
    void start() {
        var started = new ArrayList<Shard>();
        try {
            for (int shard = 0; shard < journals.count(); shard++) {
                started.add(journals.isHere(shard) ? started(shard) : absent(shard));
            }
        } catch (RuntimeException e) {
            started.forEach(each -> each.journal().close());
            throw e;
        }
        all = List.copyOf(started);
    }

    private Shard started(int shard) {
        List<Partition> own = partitions(shard);
        return new Shard(journals.start(shard, new ShardApplier(applier, own)), own);
    }

    private Shard absent(int shard) {
        return new Shard(new AbsentJournal(), partitions(shard));
    }

    /** Returns the partitions of a shard. */
    List<Partition> partitions(int shard) {
        return partitions.stream()
                .filter(each -> each.number() % journals.count() == shard)
                .toList();
    }

    /** Ends the journal of a shard, which has no replica here any more. One caller at a time. */
    void end(int shard) {
        Shard ended = all.get(shard);
        set(shard, absent(shard));
        ended.journal().close();
    }

    /** Starts the journal of a shard that has none. One caller at a time. */
    void begin(int shard) {
        set(shard, started(shard));
    }

    private void set(int shard, Shard changed) {
        var next = new ArrayList<>(all);
        next.set(shard, changed);
        all = List.copyOf(next);
    }

    List<Shard> all() {
        return all;
    }

    /** Returns the shard of a partition. */
    Shard of(int partition) {
        return all.get(partition % all.size());
    }

    /** Returns the journal of a partition. */
    Journal journal(int partition) {
        return of(partition).journal();
    }

    /** Returns the shard with the longest journal. */
    Shard longest() {
        return Collections.max(all, Comparator.comparingLong(each -> each.journal().bytes()));
    }

    /** Releases the records of all journals that are not needed any more. */
    void releaseJournals() {
        all.forEach(Shard::releaseJournal);
    }

    /** See {@link Journal#trim}. */
    void trim(Instant now) throws IOException {
        for (Shard each : all) {
            each.journal().trim(now);
        }
    }

    /** See {@link Journal#bytes}. */
    long bytes() {
        long bytes = 0;
        for (Shard each : all) {
            bytes += each.journal().bytes();
        }
        return bytes;
    }

    /** See {@link Journal#waiting}. */
    int waiting() {
        return all.stream().mapToInt(each -> each.journal().waiting()).sum();
    }

    /** See {@link Journal#forces}. */
    long forces() {
        return all.stream().mapToLong(each -> each.journal().forces()).sum();
    }

    /** Returns why the first of the failed journals failed; empty while all work. */
    Optional<String> failure() {
        return all.stream().flatMap(each -> each.journal().failure().stream()).findFirst();
    }

    /**
     * Applies all proposed rows, and accepts no more. The end of a replicated journal takes up to a
     * second, so all journals end at the same time.
     */
    @Override
    public void close() {
        try (var threads =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("journal-close-", 0).factory())) {
            CompletableFuture.allOf(
                            all.stream()
                                    .map(each ->
                                            CompletableFuture.runAsync(
                                                    each.journal()::close, threads))
                                    .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** Lets timestamps rise over terms. */
    private record ShardApplier(Journal.Applier applier, List<Partition> partitions)
            implements Journal.Applier {
        @Override
        public void apply(int partition, long first, List<byte[]> rows) {
            applier.apply(partition, first, rows);
        }

        @Override
        public void begin() {
            partitions.forEach(Partition::continueTimestamps);
        }

        @Override
        public void awaitRoom() {
            applier.awaitRoom();
        }

        @Override
        public Optional<DocumentType> type(long fingerprint) {
            return applier.type(fingerprint);
        }

        @Override
        public void learn(DocumentType type) {
            applier.learn(type);
        }
    }
}
