package org.crabro.content.storage.integrity;

import java.io.IOException;
import org.crabro.content.storage.journal.JournalReport;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.store.TypeSummary;

/**
 * Receives the findings of an {@link Inspection} in this order: the data, its types, the files that
 * a start did not use, the files of the journal, each partition with its runs, the columns of all
 * partitions, the largest groups. Damage follows the part that has it.
 */
public interface InspectionReport extends RunReport, JournalReport {
    /**
     * Receives the properties of the data.
     *
     * @param format of all files
     * @param partitions the number of partitions
     */
    void data(int format, int partitions) throws IOException;

    /** Receives the file of a type. */
    void type(TypeSummary type) throws IOException;

    /** Receives the size of {@code lost+found}, if it has files. */
    void lostFiles(LostFiles.Total total) throws IOException;

    /** Receives the size of a field in all partitions. */
    void column(ColumnSummary column) throws IOException;

    /**
     * Receives the number of groups; the largest follow.
     *
     * @param count of all groups
     */
    void groups(long count) throws IOException;

    /** Receives one of the largest groups, the largest first. */
    void group(GroupSummary group) throws IOException;
}
