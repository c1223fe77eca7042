package org.crabro.protocol.grpc;

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
public final class MessageChunks {
    private MessageChunks() {}

    /** Returns the method with requests of one kind, for clients. */
    public static MethodDescriptor<ByteBuffer, byte[]> ofClient(NodeMethod method) {
        return method(method, new Sent(), new Received());
    }

    /** Returns the method with requests of one kind, for servers. */
    public static MethodDescriptor<byte[], ByteBuffer> ofServer(NodeMethod method) {
        return method(method, new Received(), new Sent());
    }

    private static <A, B> MethodDescriptor<A, B> method(
            NodeMethod method,
            MethodDescriptor.Marshaller<A> requests,
            MethodDescriptor.Marshaller<B> replies) {
        return MethodDescriptor.newBuilder(requests, replies)
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
