/**
 * Components that an application brings, as objects: which are made, from which jars, and when they
 * are closed. A generation of an application has its own class loader; when its last request has
 * ended its components are closed, and nothing holds their classes any more.
 *
 * <p>Start reading at {@link org.crabro.container.component.PackageComponents}.
 *
 * <p>This package does not know when a generation ends, nor what searchers and processors are
 * asked.
 */
@NullMarked
package org.crabro.container.component;

import org.jspecify.annotations.NullMarked;
