/**
 * Declarations checked against each other and turned into the values of {@code config.schema}.
 *
 * <p>Start reading at {@link org.crabro.config.validation.SchemaCompiler}. Everything that is wrong
 * is reported with its place, and reading goes on, so that one deployment tells all. What schemas
 * say of each other is for {@link org.crabro.config.validation.SchemaInheritance} before, and
 * {@link org.crabro.config.validation.ReferenceCheck} behind it; constants and models in files are
 * read by {@link org.crabro.config.validation.PackagedFileCheck}.
 *
 * <p>This package does not know the text of a schema, nor who will run what it makes.
 */
@NullMarked
package org.crabro.config.validation;

import org.jspecify.annotations.NullMarked;
