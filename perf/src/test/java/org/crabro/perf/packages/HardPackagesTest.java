package org.crabro.perf.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.InvalidApplicationException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Difficult packages are compiled, or rejected with their problems. {@link PackageBenchmark}
 * measures the time; the limit here only ends endless loops.
 */
class HardPackagesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @TempDir Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("packages")
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void areAnswered(String name, Map<String, String> files) throws Exception {
        HardPackages.write(files, folder);

        assertThatCode(() -> compile(folder))
                .as("seed %d: %s", SEED, name)
                .doesNotThrowAnyException();
    }

    private static void compile(Path folder) throws Exception {
        try {
            ApplicationCompiler.compile(DirectoryFiles.of(folder), 1);
        } catch (InvalidApplicationException e) {
            // Fifty at most and a line that counts the rest, and none of them is a page long.
            assertThat(e.problems()).hasSizeBetween(1, 51);
            assertThat(e.problems()).allMatch(problem -> problem.length() < 5_000);
        }
    }

    private static Stream<Arguments> packages() {
        return HardPackages.all(SEED).entrySet().stream()
                .map(each -> Arguments.of(each.getKey(), each.getValue()));
    }
}
