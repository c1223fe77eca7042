package org.crabro.content.storage.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.BuildMemory;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.BuildThreads;
import org.crabro.content.storage.index.IndexSettings;

/**
 * Opens and builds the indexes that rows of runs should have and do not have. Each thread takes
 * partitions one by one, so that a partition has one build at a time. Threads without a partition
 * help to build graphs.
 */
final class IndexBuilds {
    private final IndexSettings settings;
    private final BooleanSupplier isClosing;
    private final int threads;
    private final BuildResources resources;
    private final Queue<Partition> open;

    /**
     * @param isClosing ends all builds when it returns true
     */
    IndexBuilds(
            Collection<Partition> partitions, IndexSettings settings, BooleanSupplier isClosing) {
        this.settings = settings;
        this.isClosing = isClosing;
        this.threads = Math.clamp(partitions.size(), 1, settings.threads());
        this.resources =
                new BuildResources(
                        new BuildMemory(settings.graphBytes()),
                        new BuildThreads(settings.threads() - threads));
        this.open = new ConcurrentLinkedQueue<>(partitions);
    }

    /**
     * Makes all indexes, on the caller's thread and others. After a failure, the other partitions
     * continue.
     *
     * @throws InterruptedIOException if {@code isClosing}
     * @throws IOException if an index could not be built; searches scan its rows
     */
    void run() throws IOException {
        List<FutureTask<Optional<IOException>>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(new FutureTask<>(this::work));
        }
        for (int i = 1; i < threads; i++) {
            Thread.ofPlatform().name("index-" + i).start(tasks.get(i));
        }
        tasks.getFirst().run();
        List<Throwable> failures = new ArrayList<>();
        for (FutureTask<Optional<IOException>> task : tasks) {
            await(task).ifPresent(failures::add);
        }
        rethrow(failures);
    }

    /** Builds until no partition is left, or the node is closing; returns the last failure. */
    private Optional<IOException> work() {
        try {
            return workOnPartitions();
        } finally {
            resources.threads().giveBack(1);
        }
    }

    private Optional<IOException> workOnPartitions() {
        Optional<IOException> failure = Optional.empty();
        for (Partition next = open.poll(); next != null; next = open.poll()) {
            try {
                while (next.index(settings, resources, isClosing)) {
                    // Each call makes one index; false means that none is missing.
                }
            } catch (InterruptedIOException e) {
                return Optional.of(e);
            } catch (IOException | CorruptRunException e) {
                failure = Optional.of(new IOException("an index of a run could not be built", e));
            }
        }
        return failure;
    }

    /**
     * Waits for the end of a task and returns its failure, also if this thread is interrupted:
     * builds read mapped runs.
     */
    private static Optional<? extends Throwable> await(FutureTask<Optional<IOException>> task) {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (ExecutionException e) {
                    return Optional.of(Objects.requireNonNullElse(e.getCause(), e));
                } catch (InterruptedException _) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Throws the gravest failure: of this program, then the end of the node, then of a build. */
    private static void rethrow(List<Throwable> failures) throws IOException {
        IOException worst = null;
        for (Throwable failure : failures) {
            worst =
                    switch (failure) {
                        case Error error -> throw error;
                        case RuntimeException bug -> throw bug;
                        case IOException e -> worst instanceof InterruptedIOException ? worst : e;
                        default -> throw new IllegalStateException("no build throws this", failure);
                    };
        }
        if (worst != null) {
            throw worst;
        }
    }
}
