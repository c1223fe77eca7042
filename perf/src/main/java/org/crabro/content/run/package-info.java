/** Measures how blocks are written. */
@NullMarked
package org.crabro.content.run;

import org.jspecify.annotations.NullMarked;
