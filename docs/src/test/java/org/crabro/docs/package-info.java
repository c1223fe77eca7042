/**
 * What ARCHITECTURE.md and the pages say, held against the code.
 *
 * <p>Start reading at {@code ArchitectureTest} for what may use what, and at {@code TidyTest} for
 * the rules about files. Each rule stands in a class of its own that takes classes or texts and
 * returns findings, so that it is tested on small made-up inputs too.
 *
 * <p>Nothing here knows how the server works: classes are read as bytes, files as text.
 */
@NullMarked
package org.crabro.docs;

import org.jspecify.annotations.NullMarked;
