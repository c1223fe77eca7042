package org.crabro.content;

import java.io.IOException;
import org.crabro.content.integrity.ColumnSummary;
import org.crabro.content.integrity.GroupSummary;
import org.crabro.content.integrity.RunReport;
import org.crabro.content.journal.JournalReport;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.recent.TypeSummary;

/**
 * Takes what an {@link Inspection} finds, in this order: the data, its types, the files that a
 * start did not use, the files of the journal, each partition with its runs, the columns of all,
 * the largest groups. Damage follows the part that has it.
 */
public interface InspectionReport extends RunReport, JournalReport {
    /**
     * The data as a whole.
     *
     * @param format of all files
     * @param partitions how many there are
     */
    void data(int format, int partitions) throws IOException;

    /** A file of a type. */
    void type(TypeSummary type) throws IOException;

    /** The files of {@code lost+found}, where there are some. */
    void lostFiles(LostFiles.Total total) throws IOException;

    /** What a field takes in all partitions. */
    void column(ColumnSummary column) throws IOException;

    /**
     * How many groups there are; the largest follow.
     *
     * @param count of all groups
     */
    void groups(long count) throws IOException;

    /** One of the groups that take most, the largest first. */
    void group(GroupSummary group) throws IOException;
}
