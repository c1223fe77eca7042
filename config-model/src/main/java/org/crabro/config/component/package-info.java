/**
 * Checks the components of an application: the classes in the jars below {@code components/}, their
 * constructors, and the components that services.xml names. It contains the values for the chains
 * of these components.
 *
 * <p>It reads class files and never loads them, so checking a package runs none of its code.
 *
 * <p>Start reading at {@link org.crabro.config.component.OwnComponents}, then {@link
 * org.crabro.config.component.PackageJars}.
 *
 * <p>The package does not load classes and does not read services.xml.
 */
@NullMarked
package org.crabro.config.component;

import org.jspecify.annotations.NullMarked;
