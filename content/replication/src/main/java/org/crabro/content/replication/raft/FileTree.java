package org.crabro.content.replication.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A directory with all that is in it. */
final class FileTree {
    private FileTree() {}

    /** Deletes a directory, if it exists. */
    static void delete(Path directory) throws IOException {
        delete(directory, _ -> true);
    }

    /** Deletes a directory, if it exists, except for one file and the directories that it is in. */
    static void deleteExcept(Path directory, Path retained) throws IOException {
        delete(directory, each -> !(Files.exists(retained) && retained.startsWith(each)));
    }

    private static void delete(Path directory, Predicate<Path> isDeleted) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> names = Files.walk(directory)) {
            all = names.filter(isDeleted).sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
