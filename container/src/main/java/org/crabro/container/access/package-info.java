/**
 * Which principal sent a request, and may it send this one? An operator's file names principals
 * with their permissions, groups and credentials: bearer tokens, which are stored hashed, and
 * patterns for client certificates.
 *
 * <p>Start reading at {@link org.crabro.container.access.AccessHandler}, then {@link
 * org.crabro.container.access.AccessControl} and {@code AccessFile}.
 *
 * <p>This package does not know what a request asks: {@link
 * org.crabro.container.access.AccessHandler.Demands} says which permission it needs. Groups are
 * checked in dispatch.
 */
@NullMarked
package org.crabro.container.access;

import org.jspecify.annotations.NullMarked;
