/**
 * Checks declarations against each other and compiles them to the values of {@code config.schema}.
 *
 * <p>Start reading at {@link org.crabro.config.validation.SchemaCompiler}. It reports each problem
 * with its place and continues, so that one deployment shows all problems. {@link
 * org.crabro.config.validation.SchemaInheritance} runs before it, {@link
 * org.crabro.config.validation.ReferenceCheck} after it. {@link
 * org.crabro.config.validation.PackagedFileCheck} reads constants and models from files.
 *
 * <p>The package does not depend on the text of a schema or on the servers that use the result.
 */
@NullMarked
package org.crabro.config.validation;

import org.jspecify.annotations.NullMarked;
