package org.crabro.content.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.content.journal.Damage;

/**
 * Which files of runs are known to hold damage: what readers met, and what was found in the
 * background. What is known is not read again but refused at once, in the same words. Nothing is
 * repaired: what is known goes when the file does, or when a later look at the device finds it
 * whole. Safe for use by many threads.
 */
public final class DamageRegister {
    /** What is kept of one file; one that has more is not told of in more detail. */
    static final int PLACES_MAX = 100;

    // Immutable, and replaced as a whole: readers ask at each column.
    private volatile Map<String, List<Damage>> byFile = Map.of();

    /**
     * Keeps what a look at a whole file found.
     *
     * @return what was not known before
     */
    public synchronized List<Damage> put(String file, List<Damage> found) {
        List<Damage> kept = List.copyOf(found.subList(0, Math.min(found.size(), PLACES_MAX)));
        List<Damage> known = byFile.getOrDefault(file, List.of());
        var all = new TreeMap<>(byFile);
        if (kept.isEmpty()) {
            all.remove(file);
        } else {
            all.put(file, kept);
        }
        byFile = Map.copyOf(all);
        return kept.stream().filter(each -> !known.contains(each)).toList();
    }

    /** Adds what a reader met. */
    public synchronized void add(Damage damage) {
        List<Damage> known = byFile.getOrDefault(damage.file(), List.of());
        if (known.size() < PLACES_MAX && !known.contains(damage)) {
            var all = new TreeMap<>(byFile);
            var more = new ArrayList<>(known);
            more.add(damage);
            all.put(damage.file(), List.copyOf(more));
            byFile = Map.copyOf(all);
        }
    }

    /** Forgets files that are not among {@code files}. */
    public synchronized void retain(Set<String> files) {
        var all = new TreeMap<>(byFile);
        all.keySet().retainAll(files);
        byFile = Map.copyOf(all);
    }

    /** Forgets a file that was deleted. */
    public synchronized void forget(String file) {
        if (byFile.containsKey(file)) {
            put(file, List.of());
        }
    }

    /** Returns whether something in a file is known to be damaged. */
    public boolean isDamaged(String file) {
        return byFile.containsKey(file);
    }

    /** Returns what is known of the bytes of a file from {@code from} to before {@code to}. */
    public Optional<Damage> in(String file, long from, long to) {
        for (Damage damage : byFile.getOrDefault(file, List.of())) {
            if (damage.offset() >= from && damage.offset() < to) {
                return Optional.of(damage);
            }
        }
        return Optional.empty();
    }

    /** Returns the paths of the files that are known to be damaged. */
    public Set<String> files() {
        return new TreeSet<>(byFile.keySet());
    }

    /** Returns how many files are known to be damaged. */
    public int fileCount() {
        return byFile.size();
    }

    /** Returns all damage that is known, by file. */
    public List<Damage> damage() {
        return new TreeMap<>(byFile).values().stream().flatMap(Collection::stream).toList();
    }
}
