/**
 * The clusters and components that services.xml asks for.
 *
 * <p>Start reading at {@link org.crabro.config.services.Services}.
 *
 * <p>This package does not know which process will run them.
 */
@NullMarked
package org.crabro.config.services;

import org.jspecify.annotations.NullMarked;
