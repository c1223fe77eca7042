package org.crabro.container.document;

import java.util.Optional;
import org.crabro.protocol.feed.EncodedWrite;

/**
 * A put whose document was encoded while it was read.
 *
 * @param condition a selection, where the body says one
 * @param create see {@link org.crabro.document.operation.ConditionalOperation}
 * @param someIgnored whether fields were left out that the type does not have
 */
public record RowPut(
        EncodedWrite write, Optional<String> condition, boolean create, boolean someIgnored) {}
