/**
 * The clusters and components that services.xml asks for.
 *
 * <p>Start reading at {@link org.crabro.config.services.Services}. What may stand in the file is
 * told by {@code services.outline}, and checked by {@link org.crabro.config.services.Outline}: the
 * readers of its parts take the form for granted.
 *
 * <p>This package does not know which process will run them.
 */
@NullMarked
package org.crabro.config.services;

import org.jspecify.annotations.NullMarked;
