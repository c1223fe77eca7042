/**
 * Authentication and permissions of requests. A file of the operator names principals with their
 * permissions, groups and credentials. Credentials are bearer tokens, which are stored hashed, and
 * patterns for client certificates.
 *
 * <p>Start reading at {@link org.crabro.container.access.AccessHandler}, then {@link
 * org.crabro.container.access.AccessControl} and {@code AccessFile}.
 *
 * <p>A {@link org.crabro.container.access.Route} couples a handler with its paths and the
 * permission that requests there need. Dispatch checks the groups.
 */
@NullMarked
package org.crabro.container.access;

import org.jspecify.annotations.NullMarked;
