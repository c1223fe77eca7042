/**
 * Measures a server under load. {@link org.crabro.client.bench.LoadRun} sends requests of a {@link
 * org.crabro.client.bench.LoadSource} from many clients, in a closed or an open loop, and {@link
 * org.crabro.client.bench.LoadResult} has counts and latencies.
 *
 * <p>In a closed loop, a fixed number of clients send requests. Each client waits for the answer
 * before it sends the next request. An open loop starts requests at fixed times. There, the latency
 * of a request begins at the intended time. So a slow request also delays the ones after it, and
 * their latencies show that.
 */
@NullMarked
package org.crabro.client.bench;

import org.jspecify.annotations.NullMarked;
