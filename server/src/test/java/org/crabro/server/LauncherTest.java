package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code bin/crabro} of an unpacked distribution. Its program prints whether it has the vector
 * module. If it is to serve, it exhausts its heap, or ends before or after it is up.
 */
class LauncherTest {
    private static final Path BIN =
            Path.of(System.getProperty("crabro.root", "..")).toAbsolutePath().resolve("bin");

    private static final String PROGRAM =
            """
            package org.crabro.server;
            import java.nio.file.*;
            import java.util.*;
            public class Crabro {
                public static void main(String[] arguments) throws Exception {
                    System.out.println("vectors: "
                            + ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent());
                    System.err.println("an error");
                    if (arguments.length > 1 && arguments[1].equals("opens")) {
                        System.out.println("opens: "
                                + Object.class.getModule().isOpen("java.io", Crabro.class.getModule()));
                    }
                    if (!arguments[0].equals("serve") || arguments[1].equals("end")) return;
                    if (arguments[1].equals("up")) {
                        Files.createFile(Path.of(System.getProperty("crabro.archive")));
                        return;
                    }
                    // Threads that catch the error must not hide it.
                    var hog = new Thread(() -> {
                        try {
                            var all = new ArrayList<byte[]>();
                            while (true) all.add(new byte[1 << 20]);
                        } catch (OutOfMemoryError e) {
                            System.out.println("caught");
                        }
                    });
                    hog.start();
                    hog.join();
                }
            }
            """;

    @TempDir private Path home;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        for (String script : List.of("crabro", "find-jdk")) {
            Files.copy(BIN.resolve(script), home.resolve("bin").resolve(script));
        }
        Path classes = Files.createDirectories(home.resolve("classes"));
        Path source = home.resolve("Crabro.java");
        Files.writeString(source, PROGRAM);
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), source.toString());
        assertThat(status).isZero();
        Files.createDirectories(home.resolve("lib"));
        try (OutputStream file = Files.newOutputStream(home.resolve("lib/crabro.jar"));
                var jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry("org/crabro/server/Crabro.class"));
            Files.copy(classes.resolve("org/crabro/server/Crabro.class"), jar);
        }
    }

    @Test
    void endsWithStatus3WhenTheHeapIsExhausted() throws Exception {
        Process process = start();

        assertThat(said(process)).doesNotContain("caught");
        assertThat(process.exitValue()).isEqualTo(3);
    }

    @Test
    void givesTheServerTheVectorModuleAndDropsTheWarning() throws Exception {
        String said = said(start());

        assertThat(said).contains("vectors: true").contains("an error").doesNotContain("incubator");
    }

    @Test
    void startsOtherCommandsWithoutTheVectorModule() throws Exception {
        for (String command : List.of("--version", "feed")) {
            String said = said(run(command));

            assertThat(said).isEqualTo("vectors: false\nan error\n");
        }
    }

    @Test
    void opensPackagesOfTheJdkForTheSpoolOfFeedAlone() throws Exception {
        assertThat(said(run("feed opens"))).endsWith("opens: true\n");
        for (String command : List.of("import", "visit", "query", "serve")) {
            assertThat(said(run(command + " opens"))).as(command).contains("opens: false\n");
        }
    }

    @Test
    void writesTheHeapIntoADirectoryForTheUserOnly() throws Exception {
        Path dumps = home.resolve("dumps");
        Process process = start("CRABRO_HEAP_DUMP=" + dumps);

        assertThat(said(process)).contains("Dumping heap");
        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(Files.getPosixFilePermissions(dumps)).hasSize(3);
        try (Stream<Path> files = Files.list(dumps)) {
            assertThat(files).hasSize(1).allMatch(file -> file.toString().endsWith(".hprof"));
        }
    }

    @Test
    void keepsTheArchiveOfClassesOfAServerThatWasUp() throws Exception {
        Path archive = home.resolve("cache/serve.jsa");

        assertThat(said(run("serve end"))).isEqualTo("vectors: true\nan error\n");
        FileTime incomplete = Files.getLastModifiedTime(archive);
        assertThat(said(run("serve up"))).isEqualTo("vectors: true\nan error\n");
        FileTime complete = Files.getLastModifiedTime(archive);
        assertThat(said(run("serve end"))).isEqualTo("vectors: true\nan error\n");

        assertThat(complete).isGreaterThan(incomplete);
        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(complete);
    }

    @Test
    void replacesTheArchiveOfOtherLibraries() throws Exception {
        Path archive = home.resolve("cache/serve.jsa");
        String _ = said(run("serve up"));
        FileTime first = Files.getLastModifiedTime(archive);

        Files.setLastModifiedTime(
                home.resolve("lib/crabro.jar"), FileTime.fromMillis(1_000_000_000_000L));
        String _ = said(run("serve up"));

        assertThat(Files.getLastModifiedTime(archive)).isGreaterThan(first);
    }

    @Test
    void writesArchivesOfClassesIntoTheDirectoryOfTheEnvironment() throws Exception {
        Path cache = home.resolve("a cache");

        String _ = said(run("serve up", "CRABRO_CACHE=" + cache));
        String _ = said(run("--version", "CRABRO_CACHE=" + cache));

        assertThat(cache.resolve("serve.jsa")).exists();
        assertThat(cache.resolve("help.jsa")).exists();
        assertThat(home.resolve("cache")).doesNotExist();
    }

    /** A link on the path leads over another link, a directory that is one, and a dot-dot. */
    @Test
    void worksThroughLinks() throws Exception {
        Path links = Files.createDirectories(home.resolve("links/deep"));
        Files.createSymbolicLink(home.resolve("current"), Path.of("."));
        Files.createSymbolicLink(home.resolve("links/also"), Path.of("deep"));
        Files.createSymbolicLink(links.resolve("second"), Path.of("../../current/bin/crabro"));
        Path first = Files.createSymbolicLink(links.resolve("crabro"), Path.of("../also/second"));
        assertThat(home.resolve("bin/crabro").toFile().setExecutable(true)).isTrue();

        for (String command :
                List.of(
                        "bash '%s' --version".formatted(first),
                        "cd '%s' && bash ./crabro --version".formatted(links),
                        "'%s/links/also/crabro' --version".formatted(home),
                        "PATH='%s':$PATH && cd / && crabro --version".formatted(links))) {
            var builder = new ProcessBuilder("bash", "-c", command).redirectErrorStream(true);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));

            assertThat(said(builder.start())).as(command).isEqualTo("vectors: false\nan error\n");
        }
    }

    @Test
    void prefersTheRuntimeOfTheDistribution() throws Exception {
        Path java = Files.createDirectories(home.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"own runtime\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();

        for (String command : List.of("--version", "serve up", "demo")) {
            assertThat(said(run(command))).as(command).isEqualTo("own runtime\n");
        }
    }

    private Process start(String... environment) throws IOException {
        return run("serve exhausted", environment);
    }

    private Process run(String command, String... environment) throws IOException {
        var words = new ArrayList<>(List.of("bash", home.resolve("bin/crabro").toString()));
        words.addAll(List.of(command.split(" ", -1)));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CRABRO_HEAP_MIB", "16");
        for (String variable : environment) {
            String[] parts = variable.split("=", 2);
            builder.environment().put(parts[0], parts[1]);
        }
        return builder.start();
    }

    private static String said(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }
}
