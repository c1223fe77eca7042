package org.crabro.container.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The name of this machine, for metrics and logs. */
public final class MachineName {
    private static final Logger LOG = LoggerFactory.getLogger(MachineName.class);

    private MachineName() {}

    /** Returns the name, or {@code localhost} if it is unknown. */
    public static String ofThis() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("The name of this machine is unknown; localhost is used", e);
            return "localhost";
        }
    }

    /**
     * Returns all names of this machine, in lower case: its host name and its canonical name. This
     * may take a DNS look-up.
     */
    static Set<String> allOfThis() {
        try {
            InetAddress local = InetAddress.getLocalHost();
            return Stream.of(local.getHostName(), local.getCanonicalHostName())
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (UnknownHostException e) {
            LOG.debug("this machine does not know its names", e);
            return Set.of(ofThis().toLowerCase(Locale.ROOT));
        }
    }
}
