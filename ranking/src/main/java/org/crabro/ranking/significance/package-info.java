/**
 * Models that say how common words are in a language: read from their JSON, and asked word by word.
 *
 * <p>Start reading at {@link org.crabro.ranking.significance.SignificanceReader}, then {@link
 * org.crabro.ranking.significance.SignificanceModels}.
 *
 * <p>This package knows neither queries nor how texts are cut into words: it is asked for words as
 * its files have them, in lower case.
 */
@NullMarked
package org.crabro.ranking.significance;

import org.jspecify.annotations.NullMarked;
