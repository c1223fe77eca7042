/** Tests of requests that search: conditions, groupings, orders and summaries. */
@NullMarked
package org.crabro.samples.query;

import org.jspecify.annotations.NullMarked;
