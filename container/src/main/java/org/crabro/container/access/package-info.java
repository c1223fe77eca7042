/**
 * Authentication and permissions of requests. A file of the operator names principals with their
 * permissions, groups and credentials. Credentials are bearer tokens, which are stored hashed, and
 * patterns for client certificates.
 *
 * <p>Start reading at {@link org.crabro.container.access.AccessHandler}, then {@link
 * org.crabro.container.access.AccessControl} and {@code AccessFile}.
 *
 * <p>{@link org.crabro.container.access.AccessHandler.Demands} returns the permission that a
 * request needs. Dispatch checks the groups.
 */
@NullMarked
package org.crabro.container.access;

import org.jspecify.annotations.NullMarked;
