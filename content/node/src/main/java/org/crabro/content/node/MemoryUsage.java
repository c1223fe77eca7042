package org.crabro.content.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of memory that is used and cannot be reclaimed on demand: the page cache does not
 * count. Reads the available memory from Linux and, if control groups (version 2) limit this
 * process, the memory of the group's processes. The largest of these shares counts.
 *
 * @param machine the file {@code meminfo}
 * @param groups directories of the groups of this process, from inner to outer
 * @param process the file {@code status} of this process
 */
public record MemoryUsage(Path machine, List<Path> groups, Path process) {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryUsage.class);

    public MemoryUsage {
        groups = List.copyOf(groups);
    }

    /** Returns empty if the system is not Linux. */
    public static Optional<MemoryUsage> ofThisMachine() {
        return of(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param processes the directory of processes, {@code /proc} on Linux; the result is empty if
     *     it does not exist
     * @param groups the directory of control groups
     */
    static Optional<MemoryUsage> of(Path processes, Path groups) {
        Path machine = processes.resolve("meminfo");
        Path process = processes.resolve("self/status");
        if (!Files.isReadable(machine)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new MemoryUsage(
                            machine, groups(processes.resolve("self/cgroup"), groups), process));
        } catch (IOException e) {
            LOG.warn(
                    "The memory of control groups is unknown; only that of the machine is used", e);
            return Optional.of(new MemoryUsage(machine, List.of(), process));
        }
    }

    /**
     * Returns the directories of the groups. The line of version 2 is {@code 0::} and a path;
     * inside a container that is the root.
     */
    private static List<Path> groups(Path membership, Path root) throws IOException {
        var groups = new ArrayList<Path>();
        if (Files.isReadable(membership)) {
            for (String line : Files.readAllLines(membership)) {
                if (line.startsWith("0::/")) {
                    Path group = root.resolve(line.substring("0::/".length())).normalize();
                    while (group != null && group.startsWith(root)) {
                        groups.add(group);
                        group = group.getParent();
                    }
                }
            }
        }
        return groups;
    }

    /** Returns the used share from 0 to 1, or NaN if it cannot be read. */
    public double share() {
        try {
            long total = number(machine, "MemTotal:").orElseThrow(() -> missing("MemTotal"));
            long available =
                    number(machine, "MemAvailable:").orElseThrow(() -> missing("MemAvailable"));
            double share = 1 - (double) available / total;
            for (Path group : groups) {
                share = Math.max(share, share(group));
            }
            return share;
        } catch (IOException | NumberFormatException e) {
            LOG.debug("The used share of memory is unknown", e);
            return Double.NaN;
        }
    }

    /**
     * Returns the share of the machine's memory that this process uses, or the share of its group's
     * limit that the group uses, whichever is larger: 0 to 1, or NaN if it cannot be read.
     */
    public double ownShare() {
        try {
            long total = number(machine, "MemTotal:").orElseThrow(() -> missing("MemTotal"));
            double share = (double) number(process, "RssAnon:").orElse(0) / total;
            for (Path group : groups) {
                share = Math.max(share, share(group));
            }
            return share;
        } catch (IOException | NumberFormatException e) {
            LOG.debug("The memory share of this process is unknown", e);
            return Double.NaN;
        }
    }

    private IOException missing(String name) {
        return new IOException("there is no " + name + " in " + machine);
    }

    /** Returns the used share of a group's limit, 0 for a group without a limit. */
    private static double share(Path group) throws IOException {
        Path limit = group.resolve("memory.max");
        Path used = group.resolve("memory.stat");
        if (!Files.isReadable(limit) || !Files.isReadable(used)) {
            return 0;
        }
        String max = Files.readString(limit).strip();
        if (max.equals("max")) {
            return 0;
        }
        // Shared memory counts as file memory in the statistics, but no file can take it back.
        long privateBytes = number(used, "anon ").orElse(0) + number(used, "shmem ").orElse(0);
        return (double) privateBytes / Long.parseLong(max);
    }

    /** Returns the number after {@code name}, which ends in a colon or a space, in its line. */
    private static OptionalLong number(Path file, String name) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name)) {
                String number = line.substring(name.length()).strip();
                int unit = number.indexOf(' ');
                return OptionalLong.of(
                        Long.parseLong(unit < 0 ? number : number.substring(0, unit)));
            }
        }
        return OptionalLong.empty();
    }
}
