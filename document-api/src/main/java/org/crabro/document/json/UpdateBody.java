package org.crabro.document.json;

import java.util.List;
import java.util.Optional;
import org.crabro.document.operation.FieldUpdate;

/**
 * The body of an update.
 *
 * @param updates in the order of execution
 * @param condition a selection that the stored document must match, if there is one
 * @param create whether the update is executed if there is no document
 * @param someIgnored whether updates of unknown fields were ignored
 */
public record UpdateBody(
        List<FieldUpdate> updates,
        Optional<String> condition,
        boolean create,
        boolean someIgnored) {
    public UpdateBody {
        updates = List.copyOf(updates);
    }
}
