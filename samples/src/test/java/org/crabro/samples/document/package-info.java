/** Tests of requests that read, write and visit documents. */
@NullMarked
package org.crabro.samples.document;

import org.jspecify.annotations.NullMarked;
