/**
 * Packages compiled to models, generation by generation.
 *
 * <p>Start reading at {@link org.crabro.config.deploy.ApplicationModel}.
 *
 * <p>This package does not know HTTP, nor who will run a model.
 */
@NullMarked
package org.crabro.config.deploy;

import org.jspecify.annotations.NullMarked;
