/**
 * Files of other programs as documents: reads records, guesses a schema, makes operations.
 *
 * <p>Start reading at {@link org.crabro.client.imports.ImportSource}, then {@link
 * org.crabro.client.imports.SchemaGuess}.
 *
 * <p>A record is a map of texts, numbers, truth values, times, lists and maps, whatever file it is
 * from. The package knows no server.
 */
@NullMarked
package org.crabro.client.imports;

import org.jspecify.annotations.NullMarked;
