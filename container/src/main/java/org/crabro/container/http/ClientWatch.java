package org.crabro.container.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.protocol.wire.CancellationToken;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Cancels a request when its client has closed the connection or reset the stream, and when the
 * server has closed the connection because it stops.
 *
 * <p>Over HTTP/2 the server reads during an answer and detects the end without this class. Over
 * HTTP/1.1 the server does not read during an answer, so this class reads the connection, without
 * blocking and at most once per {@link #INTERVAL_NANOS}. A client that has only closed its sending
 * side counts as disconnected, as in other servers: TCP does not distinguish the two. Bytes of a
 * next request are passed to the connection.
 */
public final class ClientWatch implements CancellationToken {
    /** The minimum time between two reads. */
    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A connection with this many bytes of a next request is not read any more. */
    private static final int READ_BYTES = 1_024;

    private final EndPoint endPoint;
    private final Connection connection;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile boolean isCancelled;
    private volatile boolean reads;
    private volatile long lastRead = System.nanoTime();

    private ClientWatch(Connection connection, boolean reads) {
        this.connection = connection;
        this.endPoint = connection.getEndPoint();
        this.reads = reads;
    }

    /**
     * Returns the token of a request.
     *
     * @param request a request whose body was read to its end
     */
    public static CancellationToken of(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        boolean isAlone =
                request.getConnectionMetaData().getHttpVersion().getVersion()
                        <= HttpVersion.HTTP_1_1.getVersion();
        var watch =
                new ClientWatch(connection, isAlone && connection instanceof Connection.UpgradeTo);
        request.addFailureListener(_ -> watch.isCancelled = true);
        return watch;
    }

    @Override
    public boolean isCancelled() {
        if (!isCancelled && (!endPoint.isOpen() || hasEnded())) {
            isCancelled = true;
        }
        return isCancelled;
    }

    private boolean hasEnded() {
        if (!reads || System.nanoTime() - lastRead < INTERVAL_NANOS || !reading.tryLock()) {
            return false;
        }
        try {
            return reads && hasEndedNow();
        } finally {
            lastRead = System.nanoTime();
            reading.unlock();
        }
    }

    private boolean hasEndedNow() {
        ByteBuffer buffer = BufferUtil.allocate(READ_BYTES);
        int filled;
        try {
            filled = endPoint.fill(buffer);
        } catch (IOException e) {
            // A connection that cannot be read has ended: the client has reset it.
            return true;
        }
        if (filled > 0) {
            reads = false;
            ((Connection.UpgradeTo) connection).onUpgradeTo(buffer);
        }
        return filled < 0;
    }
}
