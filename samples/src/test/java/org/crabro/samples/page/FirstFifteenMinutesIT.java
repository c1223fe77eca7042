package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Runs the script of {@code docs/lab} for the first fifteen minutes with the built distribution.
 * The script imports notes, a table, mails and JSON, and searches them. It fails at the first wrong
 * number, and at the first word that a beginner does not know.
 */
class FirstFifteenMinutesIT {
    private static final Path ROOT =
            Path.of(System.getProperty("crabro.root")).toAbsolutePath().normalize();

    @TempDir private Path directory;

    @Test
    void runsTheScriptWithoutAWrongAnswer() throws Exception {
        List<Integer> ports = FreePorts.several(2);
        var builder =
                new ProcessBuilder(
                                "bash",
                                ROOT.resolve("docs/lab/first-fifteen-minutes/session.sh")
                                        .toString(),
                                ROOT.resolve("server/target/crabro/crabro").toString(),
                                directory.toString())
                        .redirectErrorStream(true);
        builder.environment().put("CRABRO_TARGET", "http://127.0.0.1:" + ports.get(0));
        builder.environment().put("CRABRO_CONFIG", "http://127.0.0.1:" + ports.get(1));
        builder.environment().put("CRABRO_HEAP_MIB", "256");
        // Forty short processes do not need the optimizing compiler.
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));

        Process session = builder.start();
        String transcript = new String(session.getInputStream().readAllBytes(), UTF_8);

        assertThat(session.waitFor()).as(transcript).isZero();
        JsonNode figures =
                Http.JSON.readTree(transcript.substring(transcript.lastIndexOf("{\"commands\"")));
        assertThat(figures.get("commands").intValue()).isGreaterThan(30);
    }
}
