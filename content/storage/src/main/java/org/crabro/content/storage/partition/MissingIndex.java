package org.crabro.content.storage.partition;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.index.SectionIndexBuilder;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.StoredTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index that rows of a run should have and do not have, or have of other fields.
 *
 * @param run identifies the rows
 * @param section the rows
 * @param wanted the fields of the index
 */
record MissingIndex(IndexedRun run, RunSection section, IndexedFields wanted) {
    private static final Logger LOG = LoggerFactory.getLogger(MissingIndex.class);

    /** The end of the names of files that are not finished. */
    private static final String UNFINISHED = ".new";

    /** Moves a finished index to its place. */
    interface Publisher {
        /**
         * Moves an index to {@code path} and attaches it to its rows; or deletes it, if its run is
         * not listed any more.
         */
        void publish(MissingIndex index, String finished, String path) throws IOException;
    }

    /** Returns the first index that is missing; empty if there is none. */
    static Optional<MissingIndex> find(
            List<RunPart> parts, StoredTypes types, IndexSettings settings) {
        for (RunPart part : parts) {
            List<RunSection> sections = part.run().sections();
            for (int i = 0; i < sections.size(); i++) {
                RunSection section = sections.get(i);
                IndexedFields wanted = types.indexedFields(section.type());
                if (wanted.isEmpty()
                        || section.index().filter(has -> has.isOf(wanted)).isPresent()) {
                    continue;
                }
                if (section.rowTotal() >= settings.rowsMin()) {
                    return Optional.of(new MissingIndex(part.indexed(i), section, wanted));
                }
            }
        }
        return Optional.empty();
    }

    /** Opens the index, if its file is intact; otherwise builds it. */
    void make(
            LogFiles files,
            String directory,
            IndexSettings settings,
            BooleanSupplier isClosing,
            Publisher publisher)
            throws IOException {
        String path = directory + "/" + run.fileName();
        if (files.list(directory).contains(run.fileName())) {
            if (attach(files, path)) {
                return;
            }
            files.delete(path);
        }
        deleteUnfinished(files, directory);
        checkRoom(files, run, path);
        boolean isDone = false;
        try {
            new SectionIndexBuilder(files, section, wanted, settings)
                    .write(path + UNFINISHED, run, isClosing);
            publisher.publish(this, path + UNFINISHED, path);
            isDone = true;
        } finally {
            if (!isDone) {
                deleteUnfinished(files, directory);
            }
        }
    }

    /**
     * Checks the free space before a file beside a run is written.
     *
     * @throws IOException if there may be too little
     */
    static void checkRoom(LogFiles files, IndexedRun run, String path) throws IOException {
        long free = files.freeBytes();
        if (free < 2 * run.byteCount()) {
            throw new IOException(
                    "no room for %s: up to %d bytes are needed, %d are free"
                            .formatted(path, 2 * run.byteCount(), free));
        }
    }

    /** Opens an index and attaches it to its rows; returns false if it must be built again. */
    boolean attach(LogFiles files, String path) throws IOException {
        try {
            Optional<SectionIndex> opened = SectionIndex.open(files, path, run, section, wanted);
            opened.ifPresent(section::attach);
            return opened.isPresent();
        } catch (IOException e) {
            LOG.warn("An index cannot be read and is built again: {}", e.getMessage());
            return false;
        }
    }

    private void deleteUnfinished(LogFiles files, String directory) throws IOException {
        for (String name : files.list(directory)) {
            if (name.startsWith(run.fileName() + UNFINISHED)) {
                files.delete(directory + "/" + name);
            }
        }
    }
}
