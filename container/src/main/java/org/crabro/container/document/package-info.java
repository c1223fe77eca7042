/**
 * {@code /document/v1}: documents put, read and removed over HTTP.
 *
 * <p>Start reading at {@link org.crabro.container.document.DocumentHandler}, then {@link
 * org.crabro.container.document.DocumentPath}.
 *
 * <p>This package does not know which node keeps a document: it asks through {@link
 * org.crabro.container.document.DocumentReads} and {@link
 * org.crabro.container.document.DocumentWrites}. What is asked of many documents it hands to {@link
 * org.crabro.container.document.ManyDocuments}.
 */
@NullMarked
package org.crabro.container.document;

import org.jspecify.annotations.NullMarked;
