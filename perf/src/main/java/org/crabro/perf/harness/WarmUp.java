package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends queries to a server in a process of its own until its compiler is nearly idle. The work of
 * the compiler counts as the server's, and a server that has run for a while is to be measured.
 */
public final class WarmUp {
    /** The share of the processor time of a round that the compiler takes at most in the end. */
    private static final double COMPILING = 0.02;

    /** As many rounds follow each other with so little. */
    private static final int QUIET_ROUNDS = 3;

    /**
     * The maximum, in case the compiler never becomes idle or the system does not report its time.
     */
    private static final int MOST_ROUNDS = 40;

    /** A round of queries that takes about 1 s. */
    public interface Round {
        void ask() throws Exception;
    }

    private WarmUp() {}

    /**
     * Returns when the server is warm.
     *
     * @param pid the server's
     */
    public static void of(long pid, Round round) throws Exception {
        int quiet = 0;
        for (int i = 0; i < MOST_ROUNDS && quiet < QUIET_ROUNDS; i++) {
            long compiling = compilingNanos(pid);
            long all = ProcessorTime.nanos(pid);
            round.ask();
            long compiled = compilingNanos(pid) - compiling;
            boolean isTold = compiling > 0;
            boolean isQuiet = compiled <= COMPILING * (ProcessorTime.nanos(pid) - all);
            quiet = isTold && isQuiet ? quiet + 1 : 0;
        }
    }

    /** Returns the processor time of the compiler threads; 0 if the system does not report it. */
    private static long compilingNanos(long pid) throws IOException {
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(tasks)) {
            return 0;
        }
        List<Path> threads;
        try (Stream<Path> all = Files.list(tasks)) {
            threads = all.toList();
        }
        long nanos = 0;
        for (Path thread : threads) {
            nanos += compilingNanos(thread);
        }
        return nanos;
    }

    private static long compilingNanos(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
                return 0;
            }
            String times = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (NoSuchFileException _) {
            // It has ended since it was listed.
            return 0;
        }
    }
}
