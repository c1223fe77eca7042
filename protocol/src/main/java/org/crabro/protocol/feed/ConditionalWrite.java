package org.crabro.protocol.feed;

import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.WriteCondition;

/**
 * A row, and when it is written: for who has encoded a document before its condition was known.
 *
 * @param condition looked at together with the write, as one step
 * @param create see {@link ConditionalOperation}
 */
public record ConditionalWrite(EncodedWrite write, WriteCondition condition, boolean create) {}
