package org.crabro.content.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory with all that is in it. */
final class FileTree {
    private FileTree() {}

    /** Deletes a directory, if it exists. */
    static void delete(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> names = Files.walk(directory)) {
            all = names.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
