package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedSection;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types the five commands of the first page, exactly as they are written, in a directory with the
 * built distribution and the samples, and then the rest of the page. Times, process ids and ports
 * may differ from those of the page.
 */
class FiveCommandsIT {
    private static final Path ROOT =
            Path.of(System.getProperty("crabro.root")).toAbsolutePath().normalize();
    private static final Pattern TRANSCRIPT =
            Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);

    /** The number of the server, as the import prints it. */
    private static final Pattern KILL = Pattern.compile("Started as process (\\d+)");

    private static final Duration STOP = Duration.ofMinutes(1);

    @TempDir private Path clone;
    private int port;
    private int configPort;
    private long server;

    /** A command and its output. */
    private record Typed(String command, String output) {}

    @BeforeEach
    void link() throws IOException {
        Path distribution = ROOT.resolve("server/target/crabro/crabro");
        for (String name : List.of("bin", "lib")) {
            Files.createSymbolicLink(clone.resolve(name), distribution.resolve(name));
        }
        Files.createSymbolicLink(clone.resolve("samples"), ROOT.resolve("samples"));
        List<Integer> free = FreePorts.several(2);
        port = free.get(0);
        configPort = free.get(1);
    }

    @AfterEach
    void stop() throws Exception {
        if (server != 0) {
            ProcessHandle process = ProcessHandle.of(server).orElseThrow();
            process.destroy();
            process.onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
            server = 0;
        }
    }

    @Test
    void theWholePageWorksInItsOrder() throws Exception {
        List<Typed> steps = steps(PageCommands.page("getting-started.md"));

        assertThat(steps).hasSize(5);
        for (Typed step : steps) {
            assertThat(masked(type(step.command())))
                    .as(step.command())
                    .isEqualTo(masked(step.output()));
        }
        stop();
        followsThePageStepByStep();
    }

    /** Runs the second part of the page in the directory of the first. */
    private void followsThePageStepByStep() throws Exception {
        String page = PageCommands.page("getting-started.md");
        List<ServedSection> sections = ServedSection.of(page);
        assertThat(sections).hasSize(1);
        try (var later = CrabroServer.start(sections.getFirst().settings(clone))) {
            assertThat(PageCommands.of(later, clone).run(page)).isGreaterThan(5);
        }
    }

    private static List<Typed> steps(String page) {
        var steps = new ArrayList<Typed>();
        Matcher transcripts = TRANSCRIPT.matcher(page);
        while (transcripts.find()) {
            for (String part : transcripts.group(1).split("(?m)^\\$ ", -1)) {
                if (!part.isEmpty()) {
                    String[] halves = part.split("\n", 2);
                    steps.add(new Typed(halves[0], halves[1]));
                }
            }
        }
        return steps;
    }

    private String type(String command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("bash", "-c", command).directory(clone.toFile());
        builder.environment().put("CRABRO_TARGET", "http://127.0.0.1:" + port);
        builder.environment().put("CRABRO_CONFIG", "http://127.0.0.1:" + configPort);
        builder.environment().put("CRABRO_HEAP_MIB", "256");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process shell = builder.redirectErrorStream(true).start();
        String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
        Matcher kill = KILL.matcher(said);
        if (kill.find()) {
            server = Long.parseLong(kill.group(1));
        }
        assertThat(shell.waitFor()).as(command + "\n" + said).isZero();
        return said.replace(":" + configPort, ":19071").replace(":" + port, ":8080");
    }

    /** Returns an output without what differs from run to run. */
    private static String masked(String output) {
        return output.replaceAll("process \\d+", "process PID")
                .replaceAll("in [\\d.]+ s \\([\\d,]+/s\\)", "in TIME")
                .replaceAll("[\\d.]+ ms", "TIME")
                .strip();
    }
}
