package org.crabro.container.console;

import java.time.Instant;

/**
 * A change of the active application.
 *
 * @param kind {@code activated} or {@code removed}
 * @param application tenant, application and instance, with dots between them
 */
public record ConsoleEvent(Instant time, String kind, long generation, String application) {}
