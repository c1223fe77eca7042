package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;

/** Calls a config server. */
public interface ConfigAccess {
    /**
     * Reports, and returns the decisions of the config server.
     *
     * @throws IOException if it does not answer
     */
    ConfigReply report(HostReport report) throws IOException;

    /**
     * Writes the package that should be active to {@code to}, as a zip file of its directory of
     * packages.
     *
     * @throws IOException if the config server does not send it, or {@code to} fails
     */
    void copyPackage(OutputStream to) throws IOException;
}
