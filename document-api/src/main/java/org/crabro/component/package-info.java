/**
 * Interfaces for the code of applications inside a container: searchers, document processors,
 * request handlers and the components that they share.
 *
 * <p>Classes that implement one of these interfaces are packed in jars in a package's {@code
 * components/} and named in services.xml. The container creates one object of each with one
 * constructor call when the package is deployed. It closes the object once, when no request uses it
 * any more. Many requests use an object at the same time.
 *
 * <p>Jars see this package, {@code org.crabro.document}, {@code org.crabro.document.operation},
 * {@code org.crabro.tensor} and the Java platform, but no other code of the server. The libraries
 * of a jar are its own.
 *
 * <p>Start reading at {@link org.crabro.component.Component}, then {@link
 * org.crabro.component.Searcher}.
 */
@NullMarked
package org.crabro.component;

import org.jspecify.annotations.NullMarked;
