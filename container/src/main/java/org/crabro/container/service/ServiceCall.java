package org.crabro.container.service;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to a service.
 *
 * @param secret the name of the secret that is sent as a bearer token
 * @param body JSON
 * @param timeout the time from the call to its answer, all attempts included
 */
public record ServiceCall(URI endpoint, Optional<String> secret, String body, Duration timeout) {}
