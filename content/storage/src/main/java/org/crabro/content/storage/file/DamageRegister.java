package org.crabro.content.storage.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.content.storage.journal.Damage;

/**
 * The known damage of run files, found by readers or by the background check. Damaged bytes are not
 * read again: each read throws the same error at once. Nothing is repaired. An entry is removed
 * when its file is deleted, or when a later check finds the file intact on the device. Thread-safe.
 */
public final class DamageRegister {
    /** The most entries per file; more damage is not recorded in detail. */
    static final int PLACES_MAX = 100;

    // Immutable, and replaced as a whole: readers read it at each column.
    private volatile Map<String, List<Damage>> byFile = Map.of();

    /**
     * Stores the result of a check of a whole file.
     *
     * @return the damage that was unknown before
     */
    public synchronized List<Damage> put(String file, List<Damage> damages) {
        List<Damage> recorded =
                List.copyOf(damages.subList(0, Math.min(damages.size(), PLACES_MAX)));
        List<Damage> previous = byFile.getOrDefault(file, List.of());
        var all = new TreeMap<>(byFile);
        if (recorded.isEmpty()) {
            all.remove(file);
        } else {
            all.put(file, recorded);
        }
        byFile = Map.copyOf(all);
        return recorded.stream().filter(each -> !previous.contains(each)).toList();
    }

    /** Adds damage that a reader found. */
    public synchronized void add(Damage damage) {
        List<Damage> previous = byFile.getOrDefault(damage.file(), List.of());
        if (previous.size() < PLACES_MAX && !previous.contains(damage)) {
            var all = new TreeMap<>(byFile);
            var more = new ArrayList<>(previous);
            more.add(damage);
            all.put(damage.file(), List.copyOf(more));
            byFile = Map.copyOf(all);
        }
    }

    /** Removes the entries of files that are not in {@code files}. */
    public synchronized void retain(Set<String> files) {
        var all = new TreeMap<>(byFile);
        all.keySet().retainAll(files);
        byFile = Map.copyOf(all);
    }

    /** Removes the entries of a deleted file. */
    public synchronized void forget(String file) {
        if (byFile.containsKey(file)) {
            put(file, List.of());
        }
    }

    /** Returns whether a file has known damage. */
    public boolean isDamaged(String file) {
        return byFile.containsKey(file);
    }

    /**
     * Returns the known damage of the bytes of a file from {@code from} to {@code to}, exclusive.
     */
    public Optional<Damage> in(String file, long from, long to) {
        for (Damage damage : byFile.getOrDefault(file, List.of())) {
            if (damage.offset() >= from && damage.offset() < to) {
                return Optional.of(damage);
            }
        }
        return Optional.empty();
    }

    /** Returns the paths of the files with known damage. */
    public Set<String> files() {
        return new TreeSet<>(byFile.keySet());
    }

    /** Returns the number of files with known damage. */
    public int fileCount() {
        return byFile.size();
    }

    /** Returns all known damage, by file. */
    public List<Damage> damage() {
        return new TreeMap<>(byFile).values().stream().flatMap(Collection::stream).toList();
    }
}
