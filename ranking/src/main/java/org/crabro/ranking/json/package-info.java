/**
 * Files of models in JSON: walked token by token, with the place of whatever is not as expected.
 *
 * <p>This package knows no models: what a file should hold, and by which exception a problem is
 * told, is said by {@link org.crabro.ranking.json.JsonFile}'s subclasses.
 */
@NullMarked
package org.crabro.ranking.json;

import org.jspecify.annotations.NullMarked;
