package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryUsageTest {
    @TempDir Path directory;

    private Path processes;
    private Path groups;

    @BeforeEach
    void tellOfTheMachine() throws IOException {
        processes = directory.resolve("proc");
        Files.createDirectories(processes.resolve("self"));
        groups = Files.createDirectories(directory.resolve("cgroup"));
        write(
                processes.resolve("meminfo"),
                "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 750 kB\nCached: 650 kB\n");
    }

    @Test
    void doesNotCountThePageCache() {
        assertThat(share()).isEqualTo(0.25);
    }

    @Test
    void countsAgainstTheGroupsAboveToo() throws IOException {
        Path inner = Files.createDirectories(groups.resolve("outer/inner"));
        write(processes.resolve("self/cgroup"), "4:memory:/elsewhere\n0::/outer/inner\n");
        bound(inner, "max", "anon 900\nfile 5000\nshmem 100\n");
        bound(groups.resolve("outer"), "2000", "anon 900\nfile 5000\nshmem 100\n");

        assertThat(share()).isEqualTo(0.5);
    }

    @Test
    void findsTheBoundOfAContainer() throws IOException {
        write(processes.resolve("self/cgroup"), "0::/\n");
        bound(groups, "2000", "anon_thp 9\nanon 1500\nfile 500\n");

        assertThat(share()).isEqualTo(0.75);
    }

    @Test
    void countsTheMachineWhereThatIsTighter() throws IOException {
        write(processes.resolve("self/cgroup"), "0::/\n");
        bound(groups, "1000000", "anon_thp 9\nanon 1500\nfile 500\n");

        assertThat(share()).isEqualTo(0.25);
    }

    @Test
    void reportsThePrivateMemoryOfTheProcess() throws IOException {
        write(processes.resolve("self/status"), "VmRSS: 900 kB\nRssAnon:\t 300 kB\n");

        double own = MemoryUsage.of(processes, groups).orElseThrow().ownShare();

        assertThat(own).isEqualTo(0.3);
    }

    @Test
    void knowsNothingWhereTheSystemTellsNothing() throws IOException {
        Files.delete(processes.resolve("meminfo"));

        assertThat(MemoryUsage.of(processes, groups)).isEmpty();
    }

    @Test
    void isNoNumberWhereTheSystemTellsSomethingElse() throws IOException {
        write(processes.resolve("meminfo"), "MemTotal: 1000 kB\nMemFree: 100 kB\n");

        assertThat(share()).isNaN();
    }

    private double share() {
        return MemoryUsage.of(processes, groups).orElseThrow().share();
    }

    /** Writes the files of a control group: its limit, and its memory use. */
    private static void bound(Path group, String bytes, String uses) throws IOException {
        write(group.resolve("memory.max"), bytes + "\n");
        write(group.resolve("memory.stat"), uses);
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }
}
