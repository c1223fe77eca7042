/**
 * Compiles application packages to models, one model per generation.
 *
 * <p>Start reading at {@link org.crabro.config.deploy.ApplicationModel}.
 *
 * <p>The package does not depend on HTTP or on the servers that run a model.
 */
@NullMarked
package org.crabro.config.deploy;

import org.jspecify.annotations.NullMarked;
