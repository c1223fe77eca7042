/** Tests of several servers of one cluster. */
@NullMarked
package org.crabro.samples.cluster;

import org.jspecify.annotations.NullMarked;
