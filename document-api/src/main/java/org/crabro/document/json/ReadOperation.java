package org.crabro.document.json;

import org.crabro.document.operation.ConditionalOperation;

/**
 * An operation as it was read.
 *
 * @param someIgnored whether fields were left out that the type does not have
 */
public record ReadOperation(ConditionalOperation operation, boolean someIgnored) {}
