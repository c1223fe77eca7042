/**
 * The container role: it takes HTTP requests and answers them with what content nodes know.
 *
 * <p>Start reading at {@link org.crabro.container.Container}.
 *
 * <p>A container does not know how documents are stored, nor where on a node they lie.
 */
@NullMarked
package org.crabro.container;

import org.jspecify.annotations.NullMarked;
