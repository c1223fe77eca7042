/**
 * The memory of the values that requests make: elements, entries, cells, parameters and rows.
 *
 * <p>Start reading at {@link org.crabro.document.memory.RequestMemory}.
 *
 * <p>The share of a request belongs to the threads that execute it. This package knows neither
 * requests nor values; the code that makes values charges their sizes.
 */
@NullMarked
package org.crabro.document.memory;

import org.jspecify.annotations.NullMarked;
