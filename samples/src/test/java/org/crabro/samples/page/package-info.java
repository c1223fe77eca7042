/** Tests that type the commands of pages and of samples, and compare what they print. */
@NullMarked
package org.crabro.samples.page;

import org.jspecify.annotations.NullMarked;
