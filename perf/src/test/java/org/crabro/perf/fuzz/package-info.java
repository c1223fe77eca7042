/**
 * Fuzz targets for the parsers of outside input. Those that need the inside of a package are in
 * that package.
 *
 * <p>Start reading at {@link org.crabro.perf.fuzz.FuzzTargets}, which lists all of them. The build
 * runs a corpus through each; the profile {@code fuzz} looks for new inputs.
 */
@NullMarked
package org.crabro.perf.fuzz;

import org.jspecify.annotations.NullMarked;
