/**
 * The config role: takes application packages over HTTP, compiles them, keeps the active one on
 * disk and hands its model to whoever serves it.
 *
 * <p>Start reading at {@link org.crabro.container.admin.ConfigServer}, then {@link
 * org.crabro.container.admin.Deployments}. What a request asks for is told by {@link
 * org.crabro.container.admin.AdminPath}; endpoints answer.
 *
 * <p>This package does not know how a model is served: that is asked for through {@link
 * org.crabro.container.admin.ModelActivation}.
 */
@NullMarked
package org.crabro.container.admin;

import org.jspecify.annotations.NullMarked;
