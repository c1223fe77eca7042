/** Checks of names and of switches in the source text of all modules. */
@NullMarked
package org.crabro.docs.source;

import org.jspecify.annotations.NullMarked;
