package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code bin/find-jdk} and {@code bin/verify} on machines made up of folders. */
class FindJdkTest {
    private static final Path BIN =
            Path.of(System.getProperty("crabro.root", "..")).toAbsolutePath().resolve("bin");
    private static final String NONE_FOUND =
            "No JDK 25 found: install one (for example from https://adoptium.net) and set JAVA_HOME"
                    + " to it.\n";

    @TempDir Path machine;

    /** The path of the machine: what the scripts need, and neither java nor mvn. */
    @BeforeEach
    void installTools() throws IOException {
        Path tools = Files.createDirectory(machine.resolve("tools"));
        for (String tool : List.of("bash", "dirname", "env", "grep", "sed", "tr")) {
            executable(tools.resolve(tool), "exec %s \"$@\"".formatted(installed(tool)));
        }
    }

    @Test
    void prefersJavaHome() throws Exception {
        Path home = jdk("home", "25.0.3");
        Path place = jdk("place", "25");

        assertThat(findJdk(home.toString(), place.toString()))
                .isEqualTo(new Outcome(0, home + "\n", ""));
    }

    @Test
    void looksFurtherWhereJavaHomeIsOlder() throws Exception {
        Path old = jdk("old", "17.0.15");
        Path alsoOld = jdk("also-old", "250");
        Path place = jdk("place with space", "25.0.1+9");

        assertThat(findJdk(old.toString(), alsoOld + ":" + machine + "/nothing:" + place))
                .isEqualTo(new Outcome(0, place + "\n", ""));
    }

    @Test
    void doesNotTakeARuntimeWithoutCompiler() throws Exception {
        Path runtime = jdk("runtime", "25");
        Files.delete(runtime.resolve("bin/javac"));

        assertThat(findJdk("", runtime.toString())).isEqualTo(new Outcome(1, "", NONE_FOUND));
    }

    @Test
    void asksTheJavaOnThePathForItsHome() throws Exception {
        Path home = jdk("behind-a-stub", "25");
        executable(
                machine.resolve("tools/java"),
                "echo '    java.home = %s' >&2; echo '    java.io.tmpdir = x' >&2".formatted(home));

        assertThat(findJdk("", "")).isEqualTo(new Outcome(0, home + "\n", ""));
    }

    @Test
    void saysInOneLineWhatToInstall() throws Exception {
        Path old = jdk("old", "17.0.15");
        executable(machine.resolve("tools/java"), "echo '    java.home = %s'".formatted(old));

        assertThat(findJdk("", old.toString())).isEqualTo(new Outcome(1, "", NONE_FOUND));
    }

    @Test
    void exportsJavaHomeWhereItIsSourced() throws Exception {
        Path place = jdk("place", "25");
        String script =
                "set -euo pipefail; . '%s' || exit 3; bash -c 'echo home: $JAVA_HOME'"
                        .formatted(BIN.resolve("find-jdk"));

        assertThat(run(Map.of("CRABRO_JDK_PLACES", place.toString()), "bash", "-c", script))
                .isEqualTo(new Outcome(0, "home: " + place + "\n", ""));
        assertThat(run(Map.of("CRABRO_JDK_PLACES", ""), "bash", "-c", script))
                .isEqualTo(new Outcome(3, "", NONE_FOUND));
    }

    @Test
    void verifySaysInOneLineThatMavenIsMissing() throws Exception {
        Path place = jdk("place", "25");

        assertThat(
                        run(
                                Map.of("CRABRO_JDK_PLACES", place.toString()),
                                BIN.resolve("verify").toString()))
                .isEqualTo(new Outcome(1, "", "No mvn on the path: install Maven 3.8 or later.\n"));
    }

    @Test
    void verifyGivesTheJdkAndItsArgumentsToMaven() throws Exception {
        Path place = jdk("place", "25");
        executable(machine.resolve("tools/mvn"), "echo \"$JAVA_HOME: $*\"");

        assertThat(
                        run(
                                Map.of("CRABRO_JDK_PLACES", place.toString()),
                                BIN.resolve("verify").toString(),
                                "-pl",
                                "ranking"))
                .isEqualTo(new Outcome(0, place + ": -B -ntp -T 2 verify -pl ranking\n", ""));
    }

    private Outcome findJdk(String javaHome, String places) throws Exception {
        return run(
                Map.of("JAVA_HOME", javaHome, "CRABRO_JDK_PLACES", places),
                BIN.resolve("find-jdk").toString());
    }

    private record Outcome(int status, String out, String err) {}

    private Outcome run(Map<String, String> environment, String... command) throws Exception {
        Path out = machine.resolve("out");
        Path err = machine.resolve("err");
        var builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("PATH", machine.resolve("tools").toString());
        int status = builder.start().waitFor();
        return new Outcome(status, Files.readString(out), Files.readString(err));
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = machine.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        executable(home.resolve("bin/java"), "true");
        executable(home.resolve("bin/javac"), "true");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
        return home;
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!%s\n%s\n".formatted(installed("bash"), script));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static Path installed(String tool) {
        for (String folder : List.of("/usr/bin", "/bin")) {
            Path file = Path.of(folder, tool);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new IllegalStateException("no " + tool + " on this machine");
    }
}
