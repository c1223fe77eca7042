/**
 * Query profiles: values of request parameters in a package, and their types.
 *
 * <p>Start reading at {@link org.crabro.config.queryprofile.QueryProfiles}.
 *
 * <p>The package does not interpret the parameters.
 */
@NullMarked
package org.crabro.config.queryprofile;

import org.jspecify.annotations.NullMarked;
