/**
 * Reads the secrets of an operator, such as keys of network services, by the names that packages
 * have for them.
 *
 * <p>Start reading at {@link org.crabro.container.secret.Secrets}.
 *
 * <p>This package does not know what the secrets are for. No message contains the value of a
 * secret.
 */
@NullMarked
package org.crabro.container.secret;

import org.jspecify.annotations.NullMarked;
