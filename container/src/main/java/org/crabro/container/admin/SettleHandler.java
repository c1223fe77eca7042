package org.crabro.container.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.container.admin.DataSettling.Backlog;
import org.crabro.container.admin.DataSettling.Reply;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Answers at {@code /crabro/v1/settle}: POST flushes and merges everything, GET returns the state
 * of the last run. {@code timeout} is a number of seconds, or a number with {@code s}, {@code m} or
 * {@code h}.
 */
final class SettleHandler extends Handler.Abstract {
    static final String PATH = "/crabro/v1/settle";

    /** How long a request waits for the end; after a longer one, a GET returns the state. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final String DEFAULT_TIMEOUT = "10m";
    private static final Pattern TIMEOUT = Pattern.compile("([1-9]\\d{0,6})([smh]?)");

    private final DataSettling settling;
    private final OperatorRuns<Duration, Reply> runs;

    SettleHandler(DataSettling settling) {
        this.settling = settling;
        this.runs =
                new OperatorRuns<>(
                        "settle", settling::settle, e -> new Reply.Failed(String.valueOf(e)));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws InterruptedException {
        if (!RequestPath.of(request).text().equals(PATH)) {
            return false;
        }
        if (HttpMethod.POST.is(request.getMethod())) {
            begin(request, response, callback);
        } else if (HttpMethod.GET.is(request.getMethod())) {
            var last = runs.last();
            if (last.isPresent()) {
                send(last.get().await(Duration.ZERO), response, callback);
            } else {
                AdminError.NOT_FOUND.send(
                        response, callback, "no run was requested since the server started");
            }
        } else {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
            AdminError.METHOD_NOT_ALLOWED.send(
                    response, callback, request.getMethod() + " is not allowed, only GET and POST");
        }
        return true;
    }

    private void begin(Request request, Response response, Callback callback)
            throws InterruptedException {
        Fields parameters = Request.extractQueryParameters(request);
        @Nullable String given = parameters.getValue("timeout");
        Optional<Duration> timeout = timeout(given == null ? DEFAULT_TIMEOUT : given);
        if (timeout.isEmpty()) {
            AdminError.BAD_REQUEST.send(
                    response,
                    callback,
                    "timeout is '%s', expected a number of seconds, or a number with s, m or h"
                            .formatted(given));
            return;
        }
        var run = runs.begin(timeout.get());
        if (run.isEmpty()) {
            AdminError.SETTLE_UNDER_WAY.send(response, callback, "another run is under way");
        } else {
            send(run.get().await(WAIT), response, callback);
        }
    }

    private static Optional<Duration> timeout(String text) {
        Matcher parts = TIMEOUT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofSeconds(number);
                });
    }

    private void send(Optional<Reply> reply, Response response, Callback callback) {
        if (reply.isEmpty()) {
            send(HttpStatus.ACCEPTED_202, "running", response, callback);
            return;
        }
        switch (reply.get()) {
            case Reply.Settled() -> send(HttpStatus.OK_200, "settled", response, callback);
            case Reply.TimedOut() -> send(HttpStatus.OK_200, "timedOut", response, callback);
            case Reply.Failed(var problem) ->
                    AdminError.INTERNAL_SERVER_ERROR.send(
                            response, callback, "a flush or a merge failed: " + problem);
        }
    }

    private void send(int status, String state, Response response, Callback callback) {
        Backlog left = settling.backlog();
        JsonReply.send(
                response,
                callback,
                status,
                json -> {
                    json.writeStartObject();
                    json.writeStringProperty("state", state);
                    json.writeNumberProperty("recentBytes", left.recentBytes());
                    json.writeNumberProperty("unmergedPartitions", left.unmergedPartitions());
                    json.writeEndObject();
                });
    }
}
