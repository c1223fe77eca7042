package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;

/** Calls a config server. */
public interface ConfigAccess {
    /** Returns the host of the config server. */
    String name();

    /**
     * Returns whether this config server, too, takes one for the leader. Decisions of one server
     * alone do not count. One of a release without this question confirms each.
     *
     * @param leader the host of a config server
     * @throws IOException if it does not answer
     */
    boolean confirms(String leader) throws IOException;

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
