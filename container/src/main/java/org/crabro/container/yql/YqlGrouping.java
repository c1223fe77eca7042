package org.crabro.container.yql;

import java.util.List;
import org.crabro.protocol.grouping.GroupingOperation;

/**
 * A grouping, and the requested pages of it.
 *
 * @param continuations as earlier results returned them
 * @param notes about the grouping, for the trace
 */
public record YqlGrouping(
        GroupingOperation operation, List<String> continuations, List<String> notes) {
    public YqlGrouping {
        continuations = List.copyOf(continuations);
        notes = List.copyOf(notes);
    }
}
