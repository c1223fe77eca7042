/**
 * Parses JSON files of models token by token, and reports unexpected content with its place.
 *
 * <p>The subclasses of {@link org.crabro.ranking.json.JsonFile} define the content of a file and
 * the exception that reports a problem.
 */
@NullMarked
package org.crabro.ranking.json;

import org.jspecify.annotations.NullMarked;
