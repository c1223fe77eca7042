/** Results and progress as text on a terminal, or on what is none. It sends no requests. */
@NullMarked
package org.crabro.client.terminal;

import org.jspecify.annotations.NullMarked;
