/**
 * The values of some metrics in each second: {@link
 * org.crabro.container.http.second.SecondHistory}. Values of minutes are those of {@code
 * container.http}.
 */
@NullMarked
package org.crabro.container.http.second;

import org.jspecify.annotations.NullMarked;
