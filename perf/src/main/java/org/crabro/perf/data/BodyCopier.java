package org.crabro.perf.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Overwrites a file with bodies, with an fsync for each MiB, and answers when all bytes are
 * durable: the minimum work of any server with this durability. One part is forced while the next
 * is read.
 */
public final class BodyCopier extends Handler.Abstract implements AutoCloseable {
    private static final int PART_BYTES = 1 << 20;
    private static final int PARTS = 4;

    private final FileChannel file;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("copier").factory());

    public BodyCopier(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        BlockingQueue<ByteBuffer> empty = new ArrayBlockingQueue<>(PARTS);
        BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(PARTS);
        for (int i = 0; i < PARTS; i++) {
            empty.add(ByteBuffer.allocateDirect(PART_BYTES));
        }
        Future<Long> written = writer.submit(() -> writeAll(full, empty));
        ByteBuffer part = empty.take();
        for (Content.Chunk chunk = next(request); ; chunk = next(request)) {
            ByteBuffer bytes = chunk.getByteBuffer();
            while (bytes.hasRemaining()) {
                int count = Math.min(part.remaining(), bytes.remaining());
                part.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                if (!part.hasRemaining()) {
                    full.add(part.flip());
                    part = empty.take();
                }
            }
            boolean isLast = chunk.isLast();
            chunk.release();
            if (isLast) {
                break;
            }
        }
        full.add(part.flip());
        try {
            if (written.get() != request.getLength()) {
                throw new IOException("not all was written");
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        Content.Sink.write(response, true, "{\"complete\":true}\n", callback);
        return true;
    }

    private static Content.Chunk next(Request request) throws IOException, InterruptedException {
        for (Content.Chunk chunk = request.read(); ; chunk = request.read()) {
            if (chunk == null) {
                var arrived = new CountDownLatch(1);
                request.demand(arrived::countDown);
                arrived.await();
            } else if (Content.Chunk.isFailure(chunk)) {
                throw new IOException(chunk.getFailure());
            } else {
                return chunk;
            }
        }
    }

    /** Writes parts until one is not full, and returns how many bytes they had. */
    private long writeAll(BlockingQueue<ByteBuffer> full, BlockingQueue<ByteBuffer> empty)
            throws IOException, InterruptedException {
        long at = 0;
        for (boolean isLast = false; !isLast; ) {
            ByteBuffer part = full.take();
            isLast = part.remaining() < PART_BYTES;
            while (part.hasRemaining()) {
                at += file.write(part, at);
            }
            file.force(false);
            empty.add(part.clear());
        }
        return at;
    }

    /** Closes the file, but not the server of this handler. */
    @Override
    public void close() throws IOException {
        writer.close();
        file.close();
    }
}
