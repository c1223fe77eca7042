/**
 * Measures a server under load. {@link org.crabro.client.bench.LoadRun} sends requests of a {@link
 * org.crabro.client.bench.LoadSource} from many clients, in a closed or an open loop, and {@link
 * org.crabro.client.bench.LoadResult} has counts and latencies.
 *
 * <p>A closed loop has a fixed number of clients, each of which waits for its answer. An open loop
 * starts requests at fixed times. There, the latency of a request begins at the intended time: a
 * request that has to wait for a slow one before it is slow too.
 */
@NullMarked
package org.crabro.client.bench;

import org.jspecify.annotations.NullMarked;
