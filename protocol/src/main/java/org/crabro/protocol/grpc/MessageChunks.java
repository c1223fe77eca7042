package org.crabro.content.wire;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.crabro.protocol.transport.NodeMethod;

/**
 * Chunks of encoded messages, as they are: an array was received, a buffer with an array is sent.
 */
final class ByteChunks {
    private ByteChunks() {}

    /** Returns the method of the network library whose calls are requests of one kind. */
    static MethodDescriptor<byte[], ByteBuffer> method(NodeMethod method) {
        return MethodDescriptor.newBuilder(new Received(), new Sent())
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(
                        MethodDescriptor.generateFullMethodName(NodeMethod.SERVICE, method.shown()))
                .build();
    }

    private static final class Sent implements MethodDescriptor.Marshaller<ByteBuffer> {
        @Override
        public InputStream stream(ByteBuffer chunk) {
            return new ByteArrayInputStream(
                    chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.remaining());
        }

        @Override
        public ByteBuffer parse(InputStream bytes) {
            return ByteBuffer.wrap(all(bytes));
        }
    }

    private static final class Received implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] chunk) {
            return new ByteArrayInputStream(chunk);
        }

        @Override
        public byte[] parse(InputStream bytes) {
            return all(bytes);
        }
    }

    /** The network library knows the length of a chunk that it has received. */
    private static byte[] all(InputStream bytes) {
        try {
            var chunk = new byte[bytes.available()];
            if (bytes.readNBytes(chunk, 0, chunk.length) < chunk.length) {
                throw Status.INTERNAL.withDescription("half a chunk").asRuntimeException();
            }
            return chunk;
        } catch (IOException e) {
            throw Status.INTERNAL.withCause(e).asRuntimeException();
        }
    }
}
