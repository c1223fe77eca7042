package org.crabro.container.yql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The names that leaves of one statement have, and those by which leaves name others. */
final class TermIds {
    private final Set<Integer> ids = new HashSet<>();

    /** The offset of the first use of each name. */
    private final Map<Integer, Integer> needed = new HashMap<>();

    void has(int id) {
        ids.add(id);
    }

    void needs(int id, int offset) {
        needed.putIfAbsent(id, offset);
    }

    /**
     * @throws YqlSyntaxException if a leaf names one that there is not
     */
    void check(Operands operands) {
        needed.forEach((id, offset) -> {
            if (!ids.contains(id)) {
                throw operands.error(offset, "item with id " + id + " not found");
            }
        });
    }
}
