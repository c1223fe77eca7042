package org.crabro.container.admin;

import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationName;

/**
 * Who may deploy applications; {@code default} always may. Names tell packages apart, and keep
 * nobody out. Safe for use by many threads.
 */
final class Tenants {
    /** As many as nobody has. */
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

    /** Adds one. Returns false where there are as many as may be. */
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

    /** On disk first: who was told that a tenant is there finds it after a restart. */
    private void replace(SortedSet<String> next) throws IOException {
        store.writeTenants(next);
        names.clear();
        names.addAll(next);
    }
}
