package org.crabro.container.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Chooses the thread that answers a request. What scans is answered by the thread that has read it,
 * where that one may block, since somebody {@linkplain StandIns stands in} for it; else by another
 * platform thread; and by a virtual thread where too many scan already, as is everything else.
 */
final class RequestThreads extends Handler.Wrapper {
    private final Executor virtual;
    private final Executor platform;
    private final Predicate<Request> scans;
    private final Semaphore free;

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
        if (scans.test(request) && free.tryAcquire()) {
            if (!Invocable.isNonBlockingInvocation()) {
                scan(request, response, callback);
                return true;
            }
            try {
                platform.execute(() -> scan(request, response, callback));
            } catch (RejectedExecutionException e) {
                free.release();
                throw e;
            }
        } else {
            virtual.execute(() -> answer(request, response, callback));
        }
        return true;
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
