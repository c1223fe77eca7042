package org.crabro.server;

import java.io.IOException;
import java.nio.file.Path;
import org.crabro.content.storage.integrity.InspectionReport;

/** A report that is written, and counts the damage in it. */
interface DamageCount extends InspectionReport {
    /** Writes that the results of another store follow; called if there are several. */
    void store(Path directory) throws IOException;

    /** Writes the end of the output. */
    void end() throws IOException;

    /** Returns the number of reported damages. */
    long count();
}
