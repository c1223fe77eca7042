package org.crabro.protocol.feed;

import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.WriteCondition;

/**
 * A row and the condition for writing it, for a sender that encodes a document before its condition
 * is known.
 *
 * @param condition checked atomically with the write
 * @param create see {@link ConditionalOperation}
 */
public record ConditionalWrite(EncodedWrite write, WriteCondition condition, boolean create) {}
