/**
 * What can be done to one document.
 *
 * <p>Start reading at {@link org.crabro.document.operation.DocumentOperation}, then {@link
 * org.crabro.document.operation.ConditionalOperation}.
 *
 * <p>This package does not know who carries an operation out, or when.
 */
@NullMarked
package org.crabro.document.operation;

import org.jspecify.annotations.NullMarked;
