/**
 * What applications run of their own inside a container: searchers around queries, processors of
 * documents that are fed, handlers of requests, and components that these share.
 *
 * <p>Classes that implement one of these interfaces lie in jars in a package's {@code components/}
 * and are named in services.xml. An object of each is made when the package is deployed, with one
 * constructor call, and closed once when no request uses it any more. Many requests use it at once.
 *
 * <p>Jars see this package, {@code org.crabro.document}, {@code org.crabro.document.operation},
 * {@code org.crabro.tensor} and the Java platform, and nothing else of the server: libraries that
 * they bring are their own.
 *
 * <p>Start reading at {@link org.crabro.component.Component}, then {@link
 * org.crabro.component.Searcher}.
 *
 * <p>This package does not know how queries are understood, nor who loads classes.
 */
@NullMarked
package org.crabro.component;

import org.jspecify.annotations.NullMarked;
