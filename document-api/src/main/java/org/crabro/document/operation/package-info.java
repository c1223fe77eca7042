/**
 * Operations on one document.
 *
 * <p>Start reading at {@link org.crabro.document.operation.DocumentOperation}, then {@link
 * org.crabro.document.operation.ConditionalOperation}.
 *
 * <p>The package does not depend on the code that executes an operation.
 */
@NullMarked
package org.crabro.document.operation;

import org.jspecify.annotations.NullMarked;
