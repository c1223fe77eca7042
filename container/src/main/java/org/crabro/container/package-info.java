/**
 * The container role: it handles HTTP requests with the help of content nodes.
 *
 * <p>Start reading at {@link org.crabro.container.Container}.
 *
 * <p>A container does not depend on how a node stores documents.
 */
@NullMarked
package org.crabro.container;

import org.jspecify.annotations.NullMarked;
