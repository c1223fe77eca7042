package org.crabro.document.json;

import java.util.List;
import java.util.Optional;
import org.crabro.document.operation.FieldUpdate;

/**
 * What the body of an update says.
 *
 * @param updates in the order in which they are carried out
 * @param condition a selection that the stored document must match, where one is given
 * @param create whether the update is carried out where there is no document
 * @param someIgnored whether updates were left out of fields that the type does not have
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
