package org.crabro.client.terminal;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The browser of a desktop, which a program of the system starts. */
public final class Browser {
    /** The program goes on for as long as the browser on some systems. */
    private static final long WAIT_SECONDS = 5;

    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final Map<String, String> environment;
    private final boolean isMac;

    /**
     * @param environment the environment variables
     */
    Browser(Map<String, String> environment, boolean isMac) {
        this.environment = Map.copyOf(environment);
        this.isMac = isMac;
    }

    /** Returns the browser of the desktop of this process. */
    public static Browser ofThisMachine() {
        return new Browser(
                System.getenv(),
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac"));
    }

    /**
     * Opens a page.
     *
     * @return false if there is no desktop, or the browser did not start
     */
    public boolean open(URI page) throws InterruptedException {
        Optional<Path> program = program();
        if (program.isEmpty() || !SCHEMES.contains(String.valueOf(page.getScheme()))) {
            return false;
        }
        try {
            Process process =
                    new ProcessBuilder(List.of(program.get().toString(), page.toASCIIString()))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            return !process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns the program that opens pages; empty without a desktop. */
    private Optional<Path> program() {
        if (isMac) {
            return onPath("open");
        }
        boolean hasDesktop =
                Stream.of("DISPLAY", "WAYLAND_DISPLAY")
                        .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        return hasDesktop ? onPath("xdg-open") : Optional.empty();
    }

    private Optional<Path> onPath(String name) {
        String path = environment.getOrDefault("PATH", "");
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .flatMap(directory -> file(directory, name).stream())
                .findFirst();
    }

    private static Optional<Path> file(String directory, String name) {
        try {
            Path file = Path.of(directory, name);
            return Files.isExecutable(file) && !Files.isDirectory(file)
                    ? Optional.of(file)
                    : Optional.empty();
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }
}
