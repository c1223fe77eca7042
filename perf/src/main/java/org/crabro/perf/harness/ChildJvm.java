package org.crabro.perf.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures in a process of its own, with this process's Java and class path. */
public final class ChildJvm {
    private static final String SEPARATOR = "\t";

    private ChildJvm() {}

    /**
     * Runs a main class and adds the figures that it prints.
     *
     * @param options for the JVM, in addition to those that all processes of Crabro need
     * @param main prints only {@link #line}s to standard output
     * @throws IOException if it ends with another status than 0
     */
    public static void measure(
            Figures figures, List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-modules=jdk.incubator.vector");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Process child =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines = child.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(SEPARATOR, 3);
                figures.add(parts[0], parts[1], Double.parseDouble(parts[2]));
            }
        }
        if (child.waitFor() != 0) {
            throw new IOException("the process that measures ended with " + child.exitValue());
        }
    }

    /** Returns a line of the child's that {@link #measure} adds, as {@link Figures#add} does. */
    public static String line(String what, String unit, double value) {
        return String.join(SEPARATOR, what, unit, Double.toString(value));
    }
}
