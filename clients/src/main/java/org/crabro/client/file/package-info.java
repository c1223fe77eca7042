/**
 * Files on disk that users name: the files below a directory, without those that links lead out of
 * it, and lines of a bounded length. It does not know what the files contain.
 */
@NullMarked
package org.crabro.client.file;

import org.jspecify.annotations.NullMarked;
