package org.crabro.server.cluster;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The packages of a cluster. Archives of their files are named by the SHA-256 of their bytes.
 *
 * @param last the last number that a session got
 * @param tenants in addition to the default one
 * @param active the application that should be active, if one should be
 * @param sessions that wait for activation, by number
 */
record DeployedPackages(
        long last,
        SortedSet<String> tenants,
        Optional<Active> active,
        SortedMap<Long, Waiting> sessions) {
    /** Nothing was deployed. */
    static final DeployedPackages NONE =
            new DeployedPackages(0, new TreeSet<>(), Optional.empty(), new TreeMap<>());

    /**
     * The active application.
     *
     * @param number of the session
     * @param name tenant, application and instance, with dots between them
     * @param archive empty if the cluster has one config server
     */
    record Active(long number, String name, String archive) {}

    /**
     * A session that waits for activation.
     *
     * @param base the number of the session that was active at its creation, 0 for none
     * @param createdMillis since 1970
     */
    record Waiting(String tenant, long base, long createdMillis, String archive) {}

    DeployedPackages {
        tenants = Collections.unmodifiableSortedSet(new TreeSet<>(tenants));
        sessions = Collections.unmodifiableSortedMap(new TreeMap<>(sessions));
    }

    /** Returns these with a session, and without those that are not among {@code others}. */
    DeployedPackages with(long number, Waiting session, Collection<Long> others) {
        var next = new TreeMap<>(sessions);
        next.keySet().retainAll(others);
        next.put(number, session);
        return new DeployedPackages(Math.max(last, number), tenants, active, next);
    }

    DeployedPackages with(Collection<String> otherTenants) {
        return new DeployedPackages(last, new TreeSet<>(otherTenants), active, sessions);
    }

    /** Returns these with another active application, which no session waits for then. */
    DeployedPackages activated(long number, String name) {
        if (active.isPresent()
                && active.get().number() == number
                && active.get().name().equals(name)) {
            return this;
        }
        Waiting session = sessions.get(number);
        var next = new TreeMap<>(sessions);
        next.remove(number);
        return new DeployedPackages(
                Math.max(last, number),
                tenants,
                Optional.of(new Active(number, name, session == null ? "" : session.archive())),
                next);
    }

    DeployedPackages deactivated() {
        return new DeployedPackages(last, tenants, Optional.empty(), sessions);
    }

    /** Returns whether no session of these has a lower number than before. */
    boolean isAfter(DeployedPackages before) {
        long active = number(this.active);
        return last >= before.last
                && active <= last
                && (this.active.isEmpty() || active >= number(before.active));
    }

    private static long number(Optional<Active> active) {
        return active.map(Active::number).orElse(0L);
    }

    /** Returns the names of all archives that are needed. */
    Set<String> archives() {
        Set<String> names = new HashSet<>();
        active.ifPresent(each -> names.add(each.archive()));
        sessions.values().forEach(each -> names.add(each.archive()));
        names.remove("");
        return names;
    }
}
