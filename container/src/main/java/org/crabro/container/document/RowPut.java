package org.crabro.container.document;

import java.util.Optional;
import org.crabro.protocol.feed.EncodedWrite;

/**
 * A put whose document was encoded while its body was read.
 *
 * @param condition the selection of the body, if it has one
 * @param create see {@link org.crabro.document.operation.ConditionalOperation}
 * @param someIgnored whether fields were skipped that the type does not have
 */
public record RowPut(
        EncodedWrite write, Optional<String> condition, boolean create, boolean someIgnored) {}
