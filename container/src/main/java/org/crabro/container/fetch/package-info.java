/**
 * Fetches the files that a package names by URI, from hosts that the operator allows, and keeps
 * them on disk.
 *
 * <p>Start reading at {@link org.crabro.container.fetch.UriFiles}.
 *
 * <p>This package does not know what the files are for.
 */
@NullMarked
package org.crabro.container.fetch;

import org.jspecify.annotations.NullMarked;
