/** Tests of servers that are killed, whose disks fail, or that get requests made to harm them. */
@NullMarked
package org.crabro.samples.fault;

import org.jspecify.annotations.NullMarked;
