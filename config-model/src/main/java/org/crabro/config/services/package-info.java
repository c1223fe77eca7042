/**
 * The clusters and components in services.xml.
 *
 * <p>Start reading at {@link org.crabro.config.services.Services}. The resource {@code
 * services.outline} lists the elements and attributes that the file can have, and {@link
 * org.crabro.config.services.Outline} checks them. The readers of the parts rely on that check.
 *
 * <p>The package does not decide which process runs a cluster.
 */
@NullMarked
package org.crabro.config.services;

import org.jspecify.annotations.NullMarked;
