package org.crabro.content.run;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.content.journal.Damage;

/**
 * Which files of runs are known to hold damage. Nothing is repaired: what is known goes when the
 * file does, or when a later look finds it whole. Safe for use by many threads.
 */
public final class DamageRegister {
    /** What is kept of one file; one that has more is not told of in more detail. */
    static final int PLACES_MAX = 100;

    private final Map<String, List<Damage>> byFile = new TreeMap<>();

    /**
     * Keeps what a look at a whole file found.
     *
     * @return what was not known before
     */
    synchronized List<Damage> put(String file, List<Damage> found) {
        List<Damage> kept = List.copyOf(found.subList(0, Math.min(found.size(), PLACES_MAX)));
        List<Damage> known = byFile.getOrDefault(file, List.of());
        if (kept.isEmpty()) {
            byFile.remove(file);
        } else {
            byFile.put(file, kept);
        }
        return kept.stream().filter(each -> !known.contains(each)).toList();
    }

    /** Forgets files that are not among {@code files}. */
    synchronized void retain(Set<String> files) {
        byFile.keySet().retainAll(files);
    }

    /** Returns whether something in a file is known to be damaged. */
    public synchronized boolean isDamaged(String file) {
        return byFile.containsKey(file);
    }

    /** Returns how many files are known to be damaged. */
    public synchronized int fileCount() {
        return byFile.size();
    }

    /** Returns all damage that is known, by file. */
    public synchronized List<Damage> damage() {
        return byFile.values().stream().flatMap(Collection::stream).toList();
    }
}
