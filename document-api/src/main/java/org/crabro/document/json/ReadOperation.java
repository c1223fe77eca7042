package org.crabro.document.json;

import org.crabro.document.operation.ConditionalOperation;

/**
 * An operation that was read.
 *
 * @param someIgnored whether fields that the type does not have were ignored
 */
public record ReadOperation(ConditionalOperation operation, boolean someIgnored) {}
