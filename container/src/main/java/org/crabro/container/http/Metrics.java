package org.crabro.container.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Counts requests by status class and times them, for all handlers. */
final class Metrics extends Handler.Wrapper {
    /** The prefix of the names of timers. */
    static final String STATUS = "http.status.";

    /** The timer of all requests. */
    static final String REQUESTS = "http.requests";

    private final Timer[] timers = new Timer[6];
    private final Timer requests;

    /**
     * Wraps {@code handler}; the meters are {@code http.status.1xx} to {@code http.status.5xx}, and
     * {@code http.requests} of all.
     */
    Metrics(Handler handler, MeterRegistry registry) {
        super(handler);
        requests = Timer.builder(REQUESTS).register(registry);
        for (int hundreds = 1; hundreds < timers.length; hundreds++) {
            timers[hundreds] = Timer.builder(STATUS + hundreds + "xx").register(registry);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(
                request,
                response,
                Callback.from(
                        () -> {
                            record(request, response.getStatus());
                            callback.succeeded();
                        },
                        failure -> {
                            record(request, status(failure));
                            callback.failed(failure);
                        }));
    }

    /** Returns the status of the answer to a request that failed. */
    private static int status(Throwable failure) {
        return failure instanceof HttpException httpFailure
                ? httpFailure.getCode()
                : HttpStatus.INTERNAL_SERVER_ERROR_500;
    }

    private void record(Request request, int status) {
        int hundreds = Math.clamp(status / 100, 1, timers.length - 1);
        long nanos = System.nanoTime() - request.getBeginNanoTime();
        timers[hundreds].record(nanos, TimeUnit.NANOSECONDS);
        requests.record(nanos, TimeUnit.NANOSECONDS);
    }
}
