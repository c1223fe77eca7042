/**
 * Connections of clients to a server: address, credentials and refusals.
 *
 * <p>Start reading at {@link org.crabro.client.http.ServerAccess}.
 *
 * <p>The package does not know what is sent.
 */
@NullMarked
package org.crabro.client.http;

import org.jspecify.annotations.NullMarked;
