/** Tests of application packages: what a deployment changes, and what services.xml may say. */
@NullMarked
package org.crabro.samples.deploy;

import org.jspecify.annotations.NullMarked;
