package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Random;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.PageCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types the commands of the page on clusters: three servers in processes of their own. */
class ClusterPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root")).toAbsolutePath();
    private static final int CONTAINER = 8_080;
    private static final int CONFIG = 19_071;
    private static final int SERVERS = 3;

    /** Ports up to 32,767 are given to no client of another test. */
    private static final int OFFSET_MAX = 13_000;

    private static final int ATTEMPTS = 100;

    @TempDir private Path directory;
    private PageCommands commands = new PageCommands(new LinkedHashMap<>());

    @BeforeEach
    void writeLauncher() throws IOException {
        int offset = freeOffset();
        Path launcher = directory.resolve("crabro");
        Files.writeString(
                launcher,
                """
                #!/usr/bin/env bash
                export CRABRO_LAUNCHER=$0 CLASSPATH='%s' CRABRO_TARGET=%s CRABRO_CONFIG=%s
                if [[ "$1" == serve ]]; then set -- "$@" --set=warmUp=0s; fi
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m \\
                    --enable-native-access=ALL-UNNAMED org.crabro.server.Crabro "$@"
                """
                        .formatted(
                                System.getProperty("java.class.path"),
                                "http://127.0.0.1:" + (CONTAINER + offset),
                                "http://127.0.0.1:" + (CONFIG + offset),
                                Path.of(System.getProperty("java.home"), "bin", "java")));
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        var replacements = new LinkedHashMap<String, String>();
        replacements.put("cluster up 3", "cluster up 3 --port-offset " + offset);
        replacements.put("bin/crabro cluster", "cd %s; ./crabro cluster".formatted(directory));
        replacements.put("bin/crabro", "cd %s; %s".formatted(ROOT, launcher));
        commands = new PageCommands(replacements);
    }

    @AfterEach
    void stop() throws Exception {
        String _ = commands.type("bin/crabro cluster down");
    }

    @Test
    void answersAsThePageSays() throws Exception {
        String page = PageCommands.page("cluster.md");

        int steps = 0;
        for (PageCommands.Step step : PageCommands.steps(page)) {
            steps++;
            step.require(
                    commands.type(step.command())
                            .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + CONFIG));
        }

        assertThat(steps).isEqualTo(4);
    }

    /** Returns what is added to the ports of a cluster so that all are free. */
    private static int freeOffset() {
        int seed = new Random().nextInt();
        var random = new Random(seed);
        for (int i = 0; i < ATTEMPTS; i++) {
            int offset = 1 + random.nextInt(OFFSET_MAX);
            if (IntStream.range(0, SERVERS)
                    .allMatch(number ->
                            isFree(offset + CONTAINER + number)
                                    && isFree(offset + CONFIG + number)
                                    && isFree(offset + CONFIG - 1 - number)
                                    && isFree(offset + 19_100 + 100 * number))) {
                return offset;
            }
        }
        throw new AssertionError("no free ports, seed " + seed);
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
