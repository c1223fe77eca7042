package org.crabro.perf.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for one input. It is deleted when it is closed. */
public final class FuzzedDirectory implements AutoCloseable {
    private final Path path;

    private FuzzedDirectory(Path path) {
        this.path = path;
    }

    /** Creates an empty directory. */
    public static FuzzedDirectory create() throws IOException {
        return new FuzzedDirectory(Files.createTempDirectory("fuzz"));
    }

    /** Returns the directory. */
    public Path path() {
        return path;
    }

    /** Writes a file and returns its path. Parent directories are created. */
    public Path write(String name, byte[] bytes) throws IOException {
        Path file = path.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
