package org.crabro.perf.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of the system. */
final class SystemPrograms {
    private SystemPrograms() {}

    /**
     * Runs a program and returns what it prints.
     *
     * @throws IOException if it fails; the message has what it prints
     */
    static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(
                    "%s ended with status %d: %s"
                            .formatted(String.join(" ", command), status, said.strip()));
        }
        return said;
    }

    /** Runs a program whose arguments are separated by spaces. */
    static String run(String command) throws IOException, InterruptedException {
        return run(List.of(command.split(" ")));
    }
}
