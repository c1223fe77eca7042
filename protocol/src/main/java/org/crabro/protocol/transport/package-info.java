/**
 * The parts of the connection between container and content nodes that both ends share: methods,
 * names of headers, refusals, chunks of messages, limits, and certificates.
 *
 * <p>Start reading at {@link org.crabro.protocol.transport.NodeMethod}, then {@link
 * org.crabro.protocol.transport.MessageAssembly} and {@link
 * org.crabro.protocol.transport.NodeCertificates}.
 *
 * <p>The package does not depend on a network library.
 */
@NullMarked
package org.crabro.protocol.transport;

import org.jspecify.annotations.NullMarked;
