/**
 * Declarations checked against each other and turned into the values of {@code config.schema}.
 *
 * <p>Start reading at {@link org.crabro.config.validation.SchemaCompiler}. Everything that is wrong
 * is reported with its place, and reading goes on, so that one deployment tells all.
 *
 * <p>This package does not know how a file is read, nor who will run what it makes.
 */
@NullMarked
package org.crabro.config.validation;

import org.jspecify.annotations.NullMarked;
