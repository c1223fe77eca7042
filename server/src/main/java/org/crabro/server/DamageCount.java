package org.crabro.server;

import java.io.IOException;
import org.crabro.content.InspectionReport;

/** A report that is written, and counts the damage in it. */
interface DamageCount extends InspectionReport {
    /** Writes what comes last. */
    void end() throws IOException;

    /** Returns how much damage was told of. */
    long count();
}
