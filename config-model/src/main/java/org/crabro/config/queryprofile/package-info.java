/**
 * Query profiles: values of request parameters that a package brings, and their types.
 *
 * <p>Start reading at {@link org.crabro.config.queryprofile.QueryProfiles}.
 *
 * <p>This package does not know what the parameters mean.
 */
@NullMarked
package org.crabro.config.queryprofile;

import org.jspecify.annotations.NullMarked;
