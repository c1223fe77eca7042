package org.crabro.content.storage.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.JournalReport;
import org.crabro.content.storage.journal.JournalScan;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;

/** Read-only access to the types and the journal of a data directory, also while a node uses it. */
public final class StoredFiles implements StoredTypes {
    private final LogFiles files;
    private final TypeFiles types;

    private StoredFiles(LogFiles files, TypeFiles types) {
        this.files = files;
        this.types = types;
    }

    /** Reads the types, and reports every type file. */
    public static StoredFiles open(
            LogFiles files, Consumer<TypeSummary> summaries, Consumer<Damage> damage)
            throws IOException {
        TypeFiles types = TypeFiles.open(files, summaries, damage);
        return new StoredFiles(files, types);
    }

    @Override
    public Optional<DocumentType> type(long fingerprint) {
        return types.type(fingerprint).or(() -> types.later(fingerprint));
    }

    /**
     * Reports the content of the journal.
     *
     * @param partitions the number of partitions
     */
    public void scanJournal(int partitions, JournalReport report) throws IOException {
        JournalScan.run(
                files, DocumentStore.JOURNAL, record -> problem(record, partitions), report);
    }

    private Optional<String> problem(ByteBuffer record, int partitions) {
        try {
            JournalRecord.check(0, record);
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        if (JournalRecord.isEmpty(record)) {
            return Optional.empty();
        }
        if (JournalRecord.partition(record) >= partitions) {
            return Optional.of("a row of partition " + JournalRecord.partition(record));
        }
        ByteBuffer row =
                record.slice(JournalRecord.HEADER, record.remaining() - JournalRecord.HEADER);
        try {
            long fingerprint = RowEncoding.fingerprint(MemorySegment.ofBuffer(row));
            return type(fingerprint).isPresent()
                    ? Optional.empty()
                    : Optional.of("a row of a type with fingerprint %016x".formatted(fingerprint));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
