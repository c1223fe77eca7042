/**
 * What a write waits for, and what refuses it: locks of documents, and limits of rows, memory and
 * disk.
 *
 * <p>Start reading at {@link org.crabro.content.storage.admission.WriteLocks} and {@link
 * org.crabro.content.storage.admission.FeedBlock}.
 *
 * <p>This package does not know how a row becomes durable.
 */
@NullMarked
package org.crabro.content.storage.admission;

import org.jspecify.annotations.NullMarked;
