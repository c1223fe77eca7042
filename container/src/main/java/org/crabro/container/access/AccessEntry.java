package org.crabro.container.access;

import java.util.Optional;
import org.crabro.protocol.wire.Principal;

/**
 * A principal of an access file.
 *
 * @param rate nothing where the number of its requests has no bound
 */
record AccessEntry(Principal principal, Optional<RequestRate> rate) {}
