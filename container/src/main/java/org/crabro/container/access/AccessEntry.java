package org.crabro.container.access;

import java.util.Optional;
import org.crabro.protocol.wire.Principal;

/**
 * A principal of an access file.
 *
 * @param rate the limit of its requests; empty means no limit
 */
record AccessEntry(Principal principal, Optional<RequestRate> rate) {}
