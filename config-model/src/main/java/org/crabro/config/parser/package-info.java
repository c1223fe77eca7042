/**
 * Parses schema files into declarations, each with its place in the file.
 *
 * <p>Start reading at {@link org.crabro.config.parser.SchemaParser}. The comment of each parser
 * contains its grammar, and each rule is a method. {@link org.crabro.config.parser.SchemaScanner}
 * reads the tokens.
 *
 * <p>The package does not check whether the names that a declaration uses exist.
 */
@NullMarked
package org.crabro.config.parser;

import org.jspecify.annotations.NullMarked;
