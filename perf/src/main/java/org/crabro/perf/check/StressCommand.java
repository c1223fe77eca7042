package org.crabro.perf.check;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.perf.harness.Command;

/**
 * Runs all races under jcstress, each in processes of its own. A race that cannot run has not held.
 */
public final class StressCommand implements Command {
    private static final String QUICK = "quick";

    /**
     * The number of lines of the harness output before results that are shown if there are no
     * results.
     */
    private static final int LINES_KEPT = 50;

    /** For the harness and the processes it starts. */
    private static final String FLAGS =
            "--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED";

    @Override
    public String name() {
        return "stress";
    }

    @Override
    public String summary() {
        return "[quick]: races of readers and writers of the store; quick takes about a minute";
    }

    @Override
    public int run(List<String> options, PrintStream out) throws IOException, InterruptedException {
        boolean isQuick = options.equals(List.of(QUICK));
        if (!isQuick && !options.isEmpty()) {
            out.println("'stress' takes '" + QUICK + "' or nothing.");
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-stress");
        try {
            return run(isQuick, folder, out);
        } finally {
            delete(folder);
        }
    }

    private static int run(boolean isQuick, Path folder, PrintStream out)
            throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command(isQuick, folder))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        int held = 0;
        int notHeld = 0;
        boolean isResult = false;
        var before = new ArrayDeque<String>();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                isResult |= line.startsWith("RUN RESULTS");
                if (isResult) {
                    out.println(line);
                    held += line.startsWith("....") && line.contains("[OK]") ? 1 : 0;
                    notHeld += line.startsWith("....") && !line.contains("[OK]") ? 1 : 0;
                } else {
                    before.add(line);
                    if (before.size() > LINES_KEPT) {
                        before.remove();
                    }
                }
            }
        }
        int status = process.waitFor();
        if (!isResult) {
            before.forEach(out::println);
        }
        out.printf("%d races held, %d did not; jcstress ended with %d%n", held, notHeld, status);
        return status == 0 && notHeld == 0 && held > 0 ? 0 : 1;
    }

    private static List<String> command(boolean isQuick, Path folder) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath()));
        command.add("org.openjdk.jcstress.Main");
        command.addAll(List.of("-v", "-r", folder.toString(), "-sc", "false", "-af", "NONE"));
        command.addAll(List.of("-jvmArgs", FLAGS + " -ea -Xmx512m"));
        command.addAll(
                isQuick
                        ? List.of("-m", "quick", "-f", "1", "-iters", "2", "-time", "200")
                        : List.of("-m", "default", "-f", "2", "-iters", "5", "-time", "2000"));
        return command;
    }

    /**
     * Returns the class path with absolute paths, because the harness runs in a folder of its own.
     */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
