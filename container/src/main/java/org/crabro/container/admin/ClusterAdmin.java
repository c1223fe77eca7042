package org.crabro.container.admin;

import java.io.IOException;

/** The cluster of a config server, for operators. */
public interface ClusterAdmin {
    /** Returns the hosts, nodes and shards as a JSON object in UTF-8. */
    byte[] json();

    /**
     * Begins or ends the maintenance of a host: it should lead nothing meanwhile.
     *
     * @return false if the cluster has no such host
     * @throws IOException if that could not be recorded
     */
    boolean maintain(String host, boolean begins) throws IOException;
}
