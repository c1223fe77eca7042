/**
 * The capacity model of the command {@code crabro capacity}: how many hosts a number of users
 * needs, and which resource limits them.
 *
 * <p>Start reading at {@link org.crabro.client.capacity.CapacityModel}.
 */
@NullMarked
package org.crabro.client.capacity;

import org.jspecify.annotations.NullMarked;
