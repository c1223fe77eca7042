package org.crabro.container.yql;

import java.util.List;
import org.crabro.protocol.grouping.GroupingOperation;

/**
 * A grouping, and which pages of it are asked for.
 *
 * @param continuations as earlier results gave them
 */
public record YqlGrouping(GroupingOperation operation, List<String> continuations) {
    public YqlGrouping {
        continuations = List.copyOf(continuations);
    }
}
