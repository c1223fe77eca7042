/**
 * Looks up the secrets that packages refer to, such as keys of services.
 *
 * <p>Start reading at {@link org.crabro.container.secret.Secrets}.
 *
 * <p>This package does not know what a secret is for.
 */
@NullMarked
package org.crabro.container.secret;

import org.jspecify.annotations.NullMarked;
