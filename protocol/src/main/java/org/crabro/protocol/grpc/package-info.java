/**
 * What clients and servers of gRPC share: the bytes of messages, methods and the contexts of TLS.
 *
 * <p>Start reading at {@link org.crabro.protocol.grpc.MessageChunks}. The package opens no sockets.
 */
@NullMarked
package org.crabro.protocol.grpc;

import org.jspecify.annotations.NullMarked;
