/**
 * Components that an application brings: which classes the jars in {@code components/} have,
 * whether they can be made, and which of them services.xml asks for.
 *
 * <p>Class files are read and never loaded: checking a package runs none of its code.
 *
 * <p>Start reading at {@link org.crabro.config.component.OwnComponents}, then {@link
 * org.crabro.config.component.PackageJars}.
 *
 * <p>This package does not know who loads the classes, nor where services.xml names them.
 */
@NullMarked
package org.crabro.config.component;

import org.jspecify.annotations.NullMarked;
