/**
 * Stems of words, for the {@code stemming} of fields and of rule bases.
 *
 * <p>Start reading at {@link org.crabro.config.stemming.Stemmer}.
 *
 * <p>The package does not know fields and queries.
 */
@NullMarked
package org.crabro.config.stemming;

import org.jspecify.annotations.NullMarked;
