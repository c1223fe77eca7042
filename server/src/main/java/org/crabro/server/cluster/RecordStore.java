package org.crabro.server.cluster;

import java.io.IOException;

/** Keeps the record of a cluster. */
interface RecordStore {
    /** Returns the record. */
    ClusterRecord record();

    /**
     * Replaces the record. When this returns, it cannot get lost.
     *
     * @throws org.crabro.container.admin.UnavailableException if the other config servers did not
     *     agree in time, or this one does not lead. Then the record may change later
     * @throws IOException if it cannot be written
     */
    void write(ClusterRecord next) throws IOException;
}
