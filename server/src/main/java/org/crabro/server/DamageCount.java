package org.crabro.server;

import java.io.IOException;
import org.crabro.content.InspectionReport;

/** A report that is written, and counts the damage in it. */
interface DamageCount extends InspectionReport {
    /** Writes the end of the output. */
    void end() throws IOException;

    /** Returns the number of reported damages. */
    long count();
}
