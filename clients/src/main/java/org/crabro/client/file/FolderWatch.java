package org.crabro.client.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Waits until files have changed, and until they have been unchanged for a moment. It compares the
 * sizes and times of all files; what wakes it says only when to look. Not thread-safe.
 */
public final class FolderWatch {
    /** Files are not read before they were unchanged for this time. */
    static final Duration QUIET = Duration.ofMillis(500);

    /** Files that change all the time are read after so many changes. */
    static final int ROUNDS_MAX = 100;

    /** Without a wake-up, the files are compared after this time. */
    static final Duration LOOK = Duration.ofMinutes(1);

    private final Path path;
    private final FilesBelow.Links links;
    private final Wake wake;
    private Map<Path, State> before;

    /** Says when to look at the files. */
    public interface Wake {
        /** What has ended a wait. */
        enum Reason {
            /** Something may have changed. */
            CHANGE,
            /** The time is over. */
            TIME,
            /** The wait has ended. */
            END
        }

        /** Waits for at most this time. */
        Reason await(Duration atMost) throws IOException, InterruptedException;
    }

    /** What is compared of a file. */
    private record State(long size, long modifiedNanos, String key) {}

    /**
     * @param path a directory or a file; its present state is the first one
     */
    public FolderWatch(Path path, FilesBelow.Links links, Wake wake) throws IOException {
        this.path = path;
        this.links = links;
        this.wake = wake;
        this.before = states();
    }

    /**
     * Waits for a change.
     *
     * @return whether there was one; otherwise the wait has ended
     * @throws IOException if the files cannot be read
     */
    public boolean awaitChange() throws IOException, InterruptedException {
        while (true) {
            if (wake.await(LOOK) == Wake.Reason.END) {
                return false;
            }
            Map<Path, State> now = states();
            if (now.equals(before)) {
                continue;
            }
            return awaitQuiet(now);
        }
    }

    private boolean awaitQuiet(Map<Path, State> changed) throws IOException, InterruptedException {
        before = changed;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Wake.Reason reason = wake.await(QUIET);
            if (reason == Wake.Reason.END) {
                return false;
            }
            Map<Path, State> now = states();
            if (reason == Wake.Reason.TIME && now.equals(before)) {
                return true;
            }
            before = now;
        }
        return true;
    }

    private Map<Path, State> states() throws IOException {
        Map<Path, State> states = new HashMap<>();
        List<Path> files =
                Files.isDirectory(path) ? FilesBelow.in(path, links).files() : List.of(path);
        for (Path file : files) {
            try {
                BasicFileAttributes attributes =
                        Files.readAttributes(file, BasicFileAttributes.class);
                states.put(
                        file,
                        new State(
                                attributes.size(),
                                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                                String.valueOf(attributes.fileKey())));
            } catch (NoSuchFileException _) {
                // It was removed after the directory was read.
            }
        }
        return states;
    }
}
