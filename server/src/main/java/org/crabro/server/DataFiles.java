package org.crabro.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.crabro.container.file.DurableFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the config server below the directory of all data. */
final class DataFiles {
    /** The directory of packages. */
    static final String PACKAGES = "packages";

    /** The file with the name of the active package, if there is one. */
    static final String ACTIVE_PACKAGE = PACKAGES + "/active";

    /** The file that lists the documents to reindex. */
    static final String REGISTER = "reindexing.properties";

    /** The directory of generated documents, while the server sends queries to itself. */
    static final String WARM_UP = "warm-up";

    private static final Logger LOG = LoggerFactory.getLogger(DataFiles.class);

    private DataFiles() {}

    /**
     * Returns the directory of documents that an operator names.
     *
     * @param given the directory of all data, the one of documents inside, or a backup
     */
    static Path documents(Path given) {
        Path inside = given.resolve(ServerSettings.CONTENT_DIRECTORY);
        return Files.isDirectory(inside) ? inside : given;
    }

    /** Returns the directories of all stores that an operator names, see {@link #documents}. */
    static List<Path> allStores(Path given) {
        Path first = documents(given);
        var all = new ArrayList<Path>();
        all.add(first);
        all.addAll(furtherStores(first));
        for (int number = 1; number < StorePlaces.STORES_MAX; number++) {
            if (Files.isDirectory(storeIn(first, number))) {
                all.add(storeIn(first, number));
            }
        }
        return all;
    }

    /**
     * Returns the directory of a further store: {@code content-data-2} for number 1.
     *
     * @param first the directory of the first store
     */
    static Path store(Path first, int number) {
        return storeIn(parent(first), number);
    }

    /** Returns the directory of a further store in a data directory or in a backup. */
    static Path storeIn(Path directory, int number) {
        return directory.resolve(ServerSettings.CONTENT_DIRECTORY + "-" + (number + 1));
    }

    /** Returns the existing directories of further stores, in their order. */
    static List<Path> furtherStores(Path first) {
        return first.endsWith(ServerSettings.CONTENT_DIRECTORY)
                ? IntStream.range(1, StorePlaces.STORES_MAX)
                        .mapToObj(number -> store(first, number))
                        .filter(Files::isDirectory)
                        .toList()
                : List.of();
    }

    /**
     * Moves the further stores of a restored backup, and their list, from the directory of the
     * first store to their own places. The list is moved last: until it is moved, the next start
     * moves the rest.
     *
     * @throws IOException if the server already has them
     */
    static void adoptStores(Path first) throws IOException {
        Path data = parent(first);
        Path places = first.resolve(StorePlacesFile.NAME);
        if (!Files.exists(places)) {
            return;
        }
        if (Files.exists(data.resolve(StorePlacesFile.NAME))) {
            throw new IOException(
                    "'%s' is of a restored backup, and '%s' exists: delete the one that does not belong to the documents"
                            .formatted(places, data.resolve(StorePlacesFile.NAME)));
        }
        for (int number = 1; number < StorePlaces.STORES_MAX; number++) {
            Path from = storeIn(first, number);
            if (Files.exists(from)) {
                Files.move(from, store(first, number), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        Files.move(places, data.resolve(StorePlacesFile.NAME), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceNames(data);
        DurableFiles.forceNames(first);
    }

    /**
     * Moves the files of a restored backup other than documents from the directory of documents to
     * their own places. Does nothing if the server already has packages.
     *
     * <p>Packages are moved last: until they are moved, the next start moves the rest.
     */
    static void adopt(Path data) throws IOException {
        Path content = data.resolve(ServerSettings.CONTENT_DIRECTORY);
        Path packages = data.resolve(PACKAGES);
        if (Files.exists(content.resolve(PACKAGES)) && Files.exists(packages)) {
            LOG.warn(
                    "{} is not used: {} exists. Delete the one that you do not need",
                    content.resolve(PACKAGES),
                    packages);
            return;
        }
        for (String name : List.of(REGISTER, PACKAGES)) {
            Path from = content.resolve(name);
            if (Files.exists(from)) {
                Files.move(from, data.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                DurableFiles.forceNames(data);
                DurableFiles.forceNames(content);
            }
        }
    }

    /** Returns the directory of a file or a directory below the root. */
    static Path parent(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent());
    }
}
