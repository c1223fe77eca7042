package org.crabro.client.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events of the operating system for a directory and all directories in it. If there are more than
 * it watches, or it has none, the files are looked at every two seconds.
 */
public final class FolderEvents implements FolderWatch.Wake, AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Path root;
    private volatile @Nullable WatchService service;

    /** Where the watching thread waits without a service. */
    private final Object monitor = new Object();

    // Guarded by the monitor.
    private boolean isEnded;

    /**
     * @param path a directory or a file
     */
    public FolderEvents(Path path) throws IOException {
        Path folder = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
        this.root = (folder == null ? path : folder).toRealPath();
        try {
            service = root.getFileSystem().newWatchService();
            register(root);
        } catch (IOException | UnsupportedOperationException _) {
            // The limit of the system: the files are looked at from time to time.
            closeService();
        }
    }

    private void register(Path directory) throws IOException {
        WatchService watched = service;
        if (watched == null) {
            return;
        }
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes a)
                            throws IOException {
                        each.register(
                                watched,
                                StandardWatchEventKinds.ENTRY_CREATE,
                                StandardWatchEventKinds.ENTRY_DELETE,
                                StandardWatchEventKinds.ENTRY_MODIFY);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        // A directory that was removed, or cannot be read.
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Override
    public Reason await(Duration atMost) throws IOException, InterruptedException {
        WatchService watched = service;
        if (watched == null) {
            return pause(atMost.compareTo(POLL) < 0 ? atMost : POLL);
        }
        try {
            @Nullable WatchKey key = watched.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (key == null) {
                return isEnded() ? Reason.END : Reason.TIME;
            }
            while (key != null) {
                boolean hasNew =
                        key.pollEvents().stream()
                                .anyMatch(event ->
                                        event.kind().equals(StandardWatchEventKinds.ENTRY_CREATE)
                                                || event.kind()
                                                        .equals(StandardWatchEventKinds.OVERFLOW));
                if (hasNew && key.watchable() instanceof Path directory) {
                    registerNew(directory);
                }
                key.reset();
                key = watched.poll();
            }
            return isEnded() ? Reason.END : Reason.CHANGE;
        } catch (ClosedWatchServiceException _) {
            return isEnded() ? Reason.END : Reason.TIME;
        }
    }

    private void registerNew(Path directory) {
        try {
            register(directory);
        } catch (IOException _) {
            // Too many directories: from now on, they are looked at from time to time.
            closeService();
        }
    }

    private Reason pause(Duration atMost) throws InterruptedException {
        synchronized (monitor) {
            if (!isEnded) {
                TimeUnit.NANOSECONDS.timedWait(monitor, atMost.toNanos());
            }
            return isEnded ? Reason.END : Reason.TIME;
        }
    }

    private boolean isEnded() {
        synchronized (monitor) {
            return isEnded;
        }
    }

    private void closeService() {
        WatchService watched = service;
        service = null;
        if (watched != null) {
            try {
                watched.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends the wait. Can be called by any thread. */
    @Override
    public void close() {
        synchronized (monitor) {
            isEnded = true;
            monitor.notifyAll();
        }
        closeService();
    }
}
