/**
 * Calls network services that compute embeddings, and decides which hosts the server calls for
 * packages.
 *
 * <p>Start reading at {@link org.crabro.container.service.ServiceClient}. {@link
 * org.crabro.container.service.ServiceHosts} are the hosts of the operator.
 *
 * <p>This package does not know what the services compute. No message contains a secret.
 */
@NullMarked
package org.crabro.container.service;

import org.jspecify.annotations.NullMarked;
