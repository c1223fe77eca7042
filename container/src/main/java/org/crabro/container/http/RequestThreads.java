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
 * Chooses the thread that answers a request. The thread that has read a scanning request answers
 * it, if it may block because it has a {@linkplain ReplacementSelectors replacement}; otherwise
 * another platform thread does. If too many requests scan already, and for all other requests, a
 * virtual thread answers.
 *
 * <p>A scanning request with a body is answered by the thread that has read the end of the body. A
 * virtual thread waits for long bodies, for clients that expect status 100, and for every body
 * beyond {@link #GATHERED_AT_ONCE} incomplete ones.
 */
final class RequestThreads extends Handler.Wrapper {
    /** Incomplete bodies that may be in memory without a waiting thread. */
    private static final int GATHERED_AT_ONCE = 128;

    private final Executor virtual;
    private final Executor platform;
    private final Predicate<Request> scans;
    private final Semaphore free;
    private final Semaphore gathering = new Semaphore(GATHERED_AT_ONCE);

    /**
     * @param scans selects the requests that platform threads answer
     * @param most platform threads that answer concurrently
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
            // The server stops, and no caller completes the request.
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

    /** Answers like the server on its own threads. */
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
