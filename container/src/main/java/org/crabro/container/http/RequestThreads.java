package org.crabro.container.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Chooses the thread that answers a request. What scans is answered by the thread that has read it,
 * where that one may block, since somebody {@linkplain ReplacementSelectors stands in} for it; else
 * by another platform thread; and by a virtual thread where too many scan already, as is everything
 * else.
 *
 * <p>What scans and has a body is answered by the thread that has read the last of this. A virtual
 * one waits for bodies that are long, for those whose clients want to be told to send them, and
 * where as many others as {@link #GATHERED_AT_ONCE} are still to come.
 */
final class RequestThreads extends Handler.Wrapper {
    /** Bodies of which a part may be in memory, while nobody waits for the rest. */
    private static final int GATHERED_AT_ONCE = 128;

    private final Executor virtual;
    private final Executor platform;
    private final Predicate<Request> scans;
    private final Semaphore free;
    private final Semaphore gathering = new Semaphore(GATHERED_AT_ONCE);

    /**
     * @param scans which requests platform threads answer
     * @param most platform threads that answer at a time
     */
    RequestThreads(
            Handler handler,
            Executor virtual,
            Executor platform,
            Predicate<Request> scans,
            int most) {
        super(handler);
        this.virtual = virtual;
        this.platform = platform;
        this.scans = scans;
        this.free = new Semaphore(most);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.EITHER;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!scans.test(request)) {
            virtual.execute(() -> answer(request, response, callback));
        } else if (HttpMethod.GET.is(request.getMethod())) {
            scanSomewhere(request, response, callback);
        } else if (mayBeGathered(request) && gathering.tryAcquire()) {
            new BodyGathering(request, gathered -> gathered(gathered, response, callback)).run();
        } else {
            virtual.execute(() -> answer(request, response, callback));
        }
        return true;
    }

    private static boolean mayBeGathered(Request request) {
        return request.getLength() <= BodyGathering.MAX_BYTES
                && !request.getHeaders().contains(HttpHeader.EXPECT);
    }

    private void gathered(GatheredRequest request, Response response, Callback callback) {
        gathering.release();
        try {
            if (request.isWhole()) {
                scanSomewhere(request, response, callback);
            } else {
                virtual.execute(() -> answer(request, response, callback));
            }
        } catch (RejectedExecutionException e) {
            // The server stops, and nobody above this knows of the request any more.
            callback.failed(e);
        }
    }

    private void scanSomewhere(Request request, Response response, Callback callback) {
        if (!free.tryAcquire()) {
            virtual.execute(() -> answer(request, response, callback));
        } else if (Invocable.isNonBlockingInvocation()) {
            try {
                platform.execute(() -> scan(request, response, callback));
            } catch (RejectedExecutionException e) {
                free.release();
                throw e;
            }
        } else {
            scan(request, response, callback);
        }
    }

    private void scan(Request request, Response response, Callback callback) {
        try {
            answer(request, response, callback);
        } finally {
            free.release();
        }
    }

    /** Answers as the server does on its own threads. */
    private void answer(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Exception | Error e) {
            Response.writeError(request, response, callback, e);
        }
    }
}
