package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes backups of the data of a node while it serves requests. */
@FunctionalInterface
public interface DataBackup {
    /** The outcome of a backup. */
    sealed interface Reply {
        /**
         * The backup is complete.
         *
         * @param begun the backup contains every write that was acknowledged before
         * @param ended time at which it was complete
         * @param partitions the position of each
         */
        record Made(Instant begun, Instant ended, Amount amount, List<Moment> partitions)
                implements Reply {
            public Made {
                partitions = List.copyOf(partitions);
            }
        }

        /**
         * Nothing was written, because the directory is unsuitable or the node is not ready.
         *
         * @param problem the reason
         */
        record Refused(String problem) implements Reply {}

        /**
         * The backup failed; the files in the directory are unusable.
         *
         * @param problem the reason
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
     * @param packages the files of the backup in addition to the data of the node
     */
    Reply make(Path directory, PackageFiles packages);
}
