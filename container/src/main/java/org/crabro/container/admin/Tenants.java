package org.crabro.container.admin;

import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationName;

/**
 * The tenants; {@code default} always exists. Names distinguish packages, and are no access
 * control. Safe for use by many threads.
 */
final class Tenants {
    /** Far more than any server needs. */
    static final int COUNT_MAX = 1_000;

    private final PackageStore store;
    private final SortedSet<String> names;

    Tenants(PackageStore store) throws IOException {
        this.store = store;
        this.names = new TreeSet<>(store.tenants());
        names.add(ApplicationName.DEFAULT_PART);
    }

    synchronized List<String> names() {
        return List.copyOf(names);
    }

    synchronized boolean has(String name) {
        return names.contains(name);
    }

    /** Adds a tenant. Returns false if the bound is reached. */
    synchronized boolean add(String name) throws IOException {
        if (names.contains(name)) {
            return true;
        }
        if (names.size() >= COUNT_MAX) {
            return false;
        }
        var more = new TreeSet<>(names);
        more.add(name);
        replace(more);
        return true;
    }

    synchronized void remove(String name) throws IOException {
        var fewer = new TreeSet<>(names);
        fewer.remove(name);
        replace(fewer);
    }

    /** Stored on disk first, so that an acknowledged tenant exists after a restart. */
    private void replace(SortedSet<String> next) throws IOException {
        store.writeTenants(next);
        names.clear();
        names.addAll(next);
    }
}
