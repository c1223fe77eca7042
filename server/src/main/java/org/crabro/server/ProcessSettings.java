package org.crabro.server;

import java.time.Duration;
import org.crabro.container.trace.TraceSettings;
import org.crabro.ranking.kernel.MachineCodeUse;
import org.crabro.server.warmup.QueryWarmUp;

/**
 * Settings of the process as a whole.
 *
 * @param machineCode whether vectors are compared by machine code
 * @param warmUp the time for which the server sends queries to itself before it is ready, at most
 *     {@link QueryWarmUp#BEFORE_READY_MAX}; 0 for no warm-up
 * @param traces where spans are sent
 */
public record ProcessSettings(MachineCodeUse machineCode, Duration warmUp, TraceSettings traces) {}
