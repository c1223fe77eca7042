package org.crabro.content.storage.manifest;

import java.util.List;

/**
 * How an edit changes the set of runs.
 *
 * @param removed numbers of the runs that leave the set
 * @param bounded runs with fewer valid rows from now on
 * @param added runs that join the set
 */
public record RunChanges(List<Long> removed, List<RunBounds> bounded, List<RunEntry> added) {
    public RunChanges {
        removed = List.copyOf(removed);
        bounded = List.copyOf(bounded);
        added = List.copyOf(added);
    }
}
