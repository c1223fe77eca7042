/**
 * Schema files read into declarations: what stands in them, where it stands, and nothing of what it
 * means.
 *
 * <p>Start reading at {@link org.crabro.config.parser.SchemaParser}: the grammar stands above each
 * parser, a method per rule. {@link org.crabro.config.parser.SchemaScanner} knows the tokens.
 *
 * <p>This package does not know whether a name that a declaration uses exists.
 */
@NullMarked
package org.crabro.config.parser;

import org.jspecify.annotations.NullMarked;
