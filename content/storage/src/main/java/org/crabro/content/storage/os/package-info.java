/**
 * What the operating system does for a store: locks of directories, private permissions, advice on
 * mapped pages, pages that leave memory, and threads of their own for long work on files.
 *
 * <p>Start reading at {@link org.crabro.content.storage.os.Residency}. Only this package calls
 * functions of the C library: {@link org.crabro.content.storage.os.SystemFunction}.
 *
 * <p>This package does not know what files contain.
 */
@NullMarked
package org.crabro.content.storage.os;

import org.jspecify.annotations.NullMarked;
