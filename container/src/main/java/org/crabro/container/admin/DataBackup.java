package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes backups of what the node stores, while it serves. */
@FunctionalInterface
public interface DataBackup {
    /** What became of a backup. */
    sealed interface Reply {
        /**
         * It is whole.
         *
         * @param begun everything that was acknowledged before is in it
         * @param ended when it was complete
         * @param partitions the position of each
         */
        record Made(Instant begun, Instant ended, Amount amount, List<Moment> partitions)
                implements Reply {
            public Made {
                partitions = List.copyOf(partitions);
            }
        }

        /**
         * Nothing was written: it cannot go there, or not now.
         *
         * @param problem why
         */
        record Refused(String problem) implements Reply {}

        /**
         * It could not be made; what is in the directory is of no use.
         *
         * @param problem why
         */
        record Failed(String problem) implements Reply {}
    }

    /**
     * The size of a backup.
     *
     * @param files their number
     * @param bytes of all files
     * @param copiedBytes of the files that were copied; the others are hard links
     * @param copyReason why data was copied; empty if none was, except for packages
     */
    record Amount(long files, long bytes, long copiedBytes, Optional<String> copyReason) {}

    /**
     * The position of a partition.
     *
     * @param position in the journal
     * @param timestamp the highest, microseconds since the epoch
     */
    record Moment(long position, long timestamp) {}

    /** The active package, as files. */
    @FunctionalInterface
    interface PackageFiles {
        /**
         * Adds every file to {@code copies}. All of them are of one generation, the one that is
         * active when this is called.
         */
        void copyTo(Copies copies) throws IOException;
    }

    /** Takes copies of files. */
    @FunctionalInterface
    interface Copies {
        /**
         * Copies a file. The caller closes {@code content}.
         *
         * @param path below the directory of packages, parts joined by slashes
         */
        void add(String path, InputStream content) throws IOException;
    }

    /**
     * Makes a backup in a directory, and returns when it is durable. Called by one thread at a
     * time.
     *
     * @param packages what the backup contains besides the node's data
     */
    Reply make(Path directory, PackageFiles packages);
}
