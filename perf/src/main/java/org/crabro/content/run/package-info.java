/** Measures how blocks are written, and tries races of views of runs with what changes them. */
@NullMarked
package org.crabro.content.run;

import org.jspecify.annotations.NullMarked;
