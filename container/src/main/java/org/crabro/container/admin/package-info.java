/**
 * The config role: accepts application packages over HTTP, compiles them, stores the active one on
 * disk and activates its model.
 *
 * <p>Start reading at {@link org.crabro.container.admin.ConfigServer}, then {@link
 * org.crabro.container.admin.Deployments}. {@link org.crabro.container.admin.AdminPath} parses the
 * path of a request. Endpoints answer it.
 *
 * <p>{@link org.crabro.container.admin.ModelActivation} is the interface to the code that serves a
 * model.
 */
@NullMarked
package org.crabro.container.admin;

import org.jspecify.annotations.NullMarked;
