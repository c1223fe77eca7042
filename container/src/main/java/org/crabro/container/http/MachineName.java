package org.crabro.container.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this machine is called, for metrics and logs. */
public final class MachineName {
    private static final Logger LOG = LoggerFactory.getLogger(MachineName.class);

    private MachineName() {}

    /** Returns the name, or {@code localhost} where this machine does not know it. */
    public static String ofThis() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("This machine does not know its name; it is called localhost", e);
            return "localhost";
        }
    }
}
