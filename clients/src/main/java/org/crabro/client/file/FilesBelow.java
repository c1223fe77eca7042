package org.crabro.client.file;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The files below a directory.
 *
 * @param files the regular files, sorted
 * @param leaving the links that lead out of the directory; their targets are not in {@code files}
 */
public record FilesBelow(List<Path> files, List<Path> leaving) {
    /** The maximum number of files. */
    private static final int FILES_MAX = 1_000_000;

    public FilesBelow {
        files = List.copyOf(files);
        leaving = List.copyOf(leaving);
    }

    /** Which symbolic links are followed. */
    public enum Links {
        /** Links to files below the same directory. */
        INSIDE,
        /** All links, also to directories. A directory that contains itself is visited once. */
        ALL
    }

    /**
     * Finds the files below {@code directory}, which may be a link.
     *
     * @throws IOException if there are more than 1,000,000 files, or a directory cannot be read
     */
    public static FilesBelow in(Path directory, Links links) throws IOException {
        var search = new Search(directory, directory.toRealPath(), links);
        Set<FileVisitOption> options =
                links == Links.ALL
                        ? EnumSet.of(FileVisitOption.FOLLOW_LINKS)
                        : EnumSet.noneOf(FileVisitOption.class);
        // A link that is named itself is followed, so the real path is visited.
        Path start = links == Links.ALL ? directory : search.realRoot;
        Files.walkFileTree(start, options, Integer.MAX_VALUE, search);
        search.files.sort(null);
        return new FilesBelow(search.files, search.leaving);
    }

    private static final class Search extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Path realRoot;
        private final Links links;
        private final List<Path> files = new ArrayList<>();
        private final List<Path> leaving = new ArrayList<>();

        Search(Path root, Path realRoot, Links links) {
            this.root = root;
            this.realRoot = realRoot;
            this.links = links;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            if (attributes.isSymbolicLink()) {
                // Without a target, it is no file.
                if (links == Links.INSIDE && Files.exists(file)) {
                    if (!file.toRealPath().startsWith(realRoot)) {
                        leaving.add(named(file));
                    } else if (Files.isRegularFile(file)) {
                        add(file);
                    }
                }
            } else if (attributes.isRegularFile()) {
                add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        private void add(Path file) throws IOException {
            if (files.size() == FILES_MAX) {
                throw new IOException(
                        "%s has more than %,d files, which is the limit"
                                .formatted(root, FILES_MAX));
            }
            files.add(named(file));
        }

        /** Returns a path that begins with the directory as it was given. */
        private Path named(Path file) {
            return links == Links.ALL ? file : root.resolve(realRoot.relativize(file));
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof FileSystemLoopException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
