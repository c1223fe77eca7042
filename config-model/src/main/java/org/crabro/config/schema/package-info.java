/**
 * Checked schemas: the fields of a document type, how they match, and how hits are scored and
 * shown.
 *
 * <p>Start reading at {@link org.crabro.config.schema.Schema}.
 *
 * <p>The package does not depend on the language of schema files.
 */
@NullMarked
package org.crabro.config.schema;

import org.jspecify.annotations.NullMarked;
