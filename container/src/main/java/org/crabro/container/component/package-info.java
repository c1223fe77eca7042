/**
 * Creates the components of an application from their jars and closes them. A generation of an
 * application has its own class loader. When its last request has ended, its components are closed
 * and its classes can be unloaded.
 *
 * <p>Start reading at {@link org.crabro.container.component.PackageComponents}.
 *
 * <p>The package does not decide when a generation ends, and does not call searchers or processors.
 */
@NullMarked
package org.crabro.container.component;

import org.jspecify.annotations.NullMarked;
