package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;

/**
 * Keeps packages on other config servers too, so that another one can continue. Called in the turn
 * of a deployment.
 */
public interface PackageCopies {
    /** The packages of a config server that is alone. */
    PackageCopies NONE =
            new PackageCopies() {
                @Override
                public Optional<Deployed> recorded() {
                    return Optional.empty();
                }

                @Override
                public void keep(Session session, Path files, Collection<Long> others) {
                    // The only copy is on the disk of this server.
                }

                @Override
                public void keepTenants(Collection<String> names) {
                    // The only copy is on the disk of this server.
                }
            };

    /**
     * A session that waits for activation.
     *
     * @param tenant that created it
     * @param base the generation that was active at its creation, 0 for none
     */
    record Session(long number, String tenant, long base, Instant created) {}

    /**
     * What is deployed.
     *
     * @param last the last number that a session got
     * @param active the application that should be active, if one should be
     * @param sessions that wait for activation
     */
    record Deployed(
            long last, Collection<String> tenants, Optional<Named> active, List<Session> sessions) {
        public Deployed {
            tenants = List.copyOf(tenants);
            sessions = List.copyOf(sessions);
        }
    }

    /** A session, and the name of its application. */
    record Named(long number, ApplicationName name) {}

    /**
     * Returns what is deployed, if the other config servers know it. Then the directory of packages
     * has the files of all these sessions at the start, and nothing else.
     */
    Optional<Deployed> recorded();

    /**
     * Keeps a session with its files. When this returns, a majority of the config servers has them.
     *
     * @param others the numbers of the other sessions; the rest may be deleted
     * @throws UnavailableException if no majority answers
     */
    void keep(Session session, Path files, Collection<Long> others) throws IOException;

    /**
     * Keeps the names of all tenants.
     *
     * @throws UnavailableException if no majority answers
     */
    void keepTenants(Collection<String> names) throws IOException;
}
