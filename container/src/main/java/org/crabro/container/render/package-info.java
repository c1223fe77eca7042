/**
 * Results as bytes.
 *
 * <p>Start reading at {@link org.crabro.container.render.JsonRenderer}.
 *
 * <p>This package does not know how a result came to be, nor HTTP.
 */
@NullMarked
package org.crabro.container.render;

import org.jspecify.annotations.NullMarked;
