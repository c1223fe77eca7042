/**
 * Calls network services, such as those that compute embeddings. An operator allows the hosts.
 *
 * <p>Start reading at {@link org.crabro.container.service.ServiceClient}.
 *
 * <p>This package does not know what the services compute. No message contains a secret.
 */
@NullMarked
package org.crabro.container.service;

import org.jspecify.annotations.NullMarked;
