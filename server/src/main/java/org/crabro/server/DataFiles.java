package org.crabro.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
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
                forceNames(data);
                forceNames(content);
            }
        }
    }

    private static void forceNames(Path directory) throws IOException {
        try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }
}
