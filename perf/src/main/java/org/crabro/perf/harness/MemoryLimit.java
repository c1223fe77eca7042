package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A limit for the memory of a process, including page cache: a Linux control group, which only an
 * administrator can create.
 */
public final class MemoryLimit implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final Path group;
    private final Path parent;

    private MemoryLimit(Path group, Path parent) {
        this.group = group;
        this.parent = parent;
    }

    /**
     * Limits this process from now on; memory that is already allocated is not moved.
     *
     * @throws IOException if it is not possible here: the message contains the requirements
     */
    public static MemoryLimit of(long bytes) throws IOException {
        Optional<Path> first = own("memory").map(ROOT.resolve("memory")::resolve);
        boolean isFirst = first.isPresent() && Files.isDirectory(first.get());
        Path parent = isFirst ? first.get() : ROOT.resolve(own("").orElse(""));
        Path group = parent.resolve("crabro-perf-" + ProcessHandle.current().pid());
        String limit = isFirst ? "memory.limit_in_bytes" : "memory.max";
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve(limit), Long.toString(bytes));
            move(group);
        } catch (IOException e) {
            throw new IOException(
                    "memory cannot be limited here: it takes Linux, and the right to make %s"
                            .formatted(group),
                    e);
        }
        return new MemoryLimit(group, parent);
    }

    /** Returns the group that this process is in, as {@code /proc} names it. */
    private static Optional<String> own(String controller) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/cgroup"));
        return lines.stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3 && parts[1].equals(controller))
                .map(parts -> parts[2].substring(1))
                .findFirst();
    }

    private static void move(Path group) throws IOException {
        Files.writeString(
                group.resolve("cgroup.procs"), Long.toString(ProcessHandle.current().pid()));
    }

    @Override
    public void close() throws IOException {
        move(parent);
        Files.delete(group);
    }
}
