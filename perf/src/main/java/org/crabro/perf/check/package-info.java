/**
 * Checks that hold or fail, and loads that run for long: races, a soak, stopped readers, damaged
 * requests and changes of packages.
 */
@NullMarked
package org.crabro.perf.check;

import org.jspecify.annotations.NullMarked;
