/**
 * Schemas, checked: what a document type has, how its fields match, how hits are scored and shown.
 *
 * <p>Start reading at {@link org.crabro.config.schema.Schema}.
 *
 * <p>This package does not know the text a schema was written in.
 */
@NullMarked
package org.crabro.config.schema;

import org.jspecify.annotations.NullMarked;
