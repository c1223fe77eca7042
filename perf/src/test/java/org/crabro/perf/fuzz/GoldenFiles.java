package org.crabro.perf.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Files of the repository's tests that are good inputs to begin with. */
public final class GoldenFiles {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root", "."));

    private GoldenFiles() {}

    /**
     * Returns the bytes of files; of those called {@code .hex} the bytes that their digits are.
     *
     * @param directory relative to the root of the repository
     * @param glob of the files' names
     */
    public static List<byte[]> read(String directory, String glob) {
        var files = new ArrayList<byte[]>();
        for (Path file : matching(directory, glob)) {
            try {
                files.add(
                        file.toString().endsWith(".hex")
                                ? HexFormat.of()
                                        .parseHex(Files.readString(file).replaceAll("#.*|\\s", ""))
                                : Files.readAllBytes(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    private static Set<Path> matching(String directory, String glob) {
        var paths = new TreeSet<Path>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(ROOT.resolve(directory), glob)) {
            files.forEach(paths::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (paths.isEmpty()) {
            throw new IllegalStateException("no " + glob + " in " + directory);
        }
        return paths;
    }
}
