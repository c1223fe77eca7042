/**
 * Writes results as bytes.
 *
 * <p>Start reading at {@link org.crabro.container.render.JsonRenderer}.
 *
 * <p>The package does not depend on HTTP or on the execution of queries.
 */
@NullMarked
package org.crabro.container.render;

import org.jspecify.annotations.NullMarked;
