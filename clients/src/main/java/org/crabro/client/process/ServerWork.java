package org.crabro.client.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much a server in a process has done. Two equal values mean that it did nothing in between.
 *
 * <p>A server that replays a journal or compiles a package logs nothing for a long time, so its
 * processor time counts too. Whole seconds of it: a server that only waits uses less in {@link
 * ProgressWatch#UNCHANGED_MAX}.
 *
 * @param logBytes the sizes of its logs
 * @param cpuSeconds the processor time of its process, 0 if the system does not report it
 */
public record ServerWork(List<Long> logBytes, long cpuSeconds) {
    /** Returns the work of a process. */
    public static ServerWork of(ProcessHandle process, Path... logs) {
        return new ServerWork(
                logBytes(logs),
                process.info().totalCpuDuration().map(Duration::toSeconds).orElse(0L));
    }

    /** Returns the sizes of logs, 0 for those that do not exist. */
    public static List<Long> logBytes(Path... logs) {
        return Stream.of(logs).map(log -> log.toFile().length()).toList();
    }

    /** Returns the log that a server writes below its data directory. */
    public static Path log(Path data) {
        return data.resolve("logs").resolve("crabro.log");
    }
}
