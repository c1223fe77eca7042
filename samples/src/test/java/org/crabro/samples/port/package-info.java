/** Tests of HTTP, TLS, access and the operators' requests, at both ports of a server. */
@NullMarked
package org.crabro.samples.port;

import org.jspecify.annotations.NullMarked;
