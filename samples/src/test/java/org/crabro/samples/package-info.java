/**
 * Tests that run the samples, and the server's promises, against real servers over HTTP.
 *
 * <p>Start reading at {@link org.crabro.samples.page.CommitsIT}.
 *
 * <p>What is right is computed here by plain brute force; nothing of the server's own search is
 * used for it.
 */
@NullMarked
package org.crabro.samples;

import org.jspecify.annotations.NullMarked;
