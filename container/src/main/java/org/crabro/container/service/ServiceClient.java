package org.crabro.container.service;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.container.secret.Secrets;
import org.crabro.container.secret.UnreadableSecretException;
import org.crabro.container.service.ServiceException.Reason;
import org.crabro.protocol.trace.Spans;

/**
 * Sends requests to network services and returns their answers. A call that fails for a reason that
 * may pass is repeated until its timeout. Redirects are not followed, because the other host may
 * not be allowed.
 *
 * <p>Safe for use by many threads, which wait for the answer; use virtual threads.
 */
public final class ServiceClient implements AutoCloseable {
    /** Requests in progress at the same time. Further calls wait. */
    public static final int REQUESTS_AT_ONCE = 32;

    /** Calls that wait for their turn. Further calls are refused as overload. */
    public static final int WAITING_CALLS = 1_024;

    /** The size of an answer in bytes. A larger answer is a failure. */
    public static final int ANSWER_BYTES = 32 << 20;

    /** The time for one attempt. */
    public static final Duration ATTEMPT = Duration.ofSeconds(60);

    /** Further attempts after the first one. */
    public static final int RETRIES = 3;

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** The pause before the first further attempt. It doubles with each attempt. */
    private static final long PAUSE_MILLIS = 200;

    /** Characters of the answer in the message of a failure. */
    private static final int SHOWN_CHARS = 300;

    /**
     * A part of the message with which the client of the platform reports a body over the limit.
     */
    private static final String TOO_LARGE = "body exceeds capacity";

    private final ServiceRules rules;
    private final Semaphore turns = new Semaphore(REQUESTS_AT_ONCE, true);

    /**
     * Made for the first call: a client loads the classes of TLS, a tenth of a second at the start
     * of a server. Guarded by this, as is the next one.
     */
    private Optional<HttpClient> http = Optional.empty();

    private boolean isClosed;

    public ServiceClient(ServiceRules rules) {
        this.rules = rules;
    }

    private synchronized HttpClient http() throws ServiceException {
        if (isClosed) {
            throw new ServiceException(Reason.FAILED, "the server stops");
        }
        if (http.isEmpty()) {
            http =
                    Optional.of(
                            HttpClient.newBuilder()
                                    .connectTimeout(CONNECT)
                                    .followRedirects(HttpClient.Redirect.NEVER)
                                    .build());
        }
        return http.get();
    }

    /** Returns what the operator allows. */
    public ServiceRules rules() {
        return rules;
    }

    /** The end of an attempt: an answer, or a failure that may pass. */
    private sealed interface Attempt {
        record Answered(String body) implements Attempt {}

        /**
         * @param pause the pause in ms that the service asks for; negative if it asks for none
         */
        record Failed(Reason reason, String message, long pause) implements Attempt {
            Failed(String message) {
                this(Reason.FAILED, message, -1);
            }
        }
    }

    /**
     * Returns the body of the answer.
     *
     * @throws ServiceException if the host is not allowed, the secret is missing, or the service
     *     does not answer with status 200 in time
     */
    public String post(ServiceCall call) throws ServiceException {
        long deadline = System.nanoTime() + call.timeout().toNanos();
        Optional<String> refusal = rules.hosts().refusal(call.endpoint());
        if (refusal.isPresent()) {
            throw new ServiceException(Reason.FAILED, refusal.get());
        }
        Optional<String> key = key(call);
        try (var span = Spans.outgoing("POST " + call.endpoint().getHost())) {
            try {
                return post(call, key, deadline);
            } catch (ServiceException e) {
                span.failed(e.reason().name());
                throw e;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new ServiceException(Reason.TIMED_OUT, "the call was interrupted");
            }
        }
    }

    private String post(ServiceCall call, Optional<String> key, long deadline)
            throws ServiceException, InterruptedException {
        String failure = "";
        Reason reason = Reason.FAILED;
        for (int attempt = 0; attempt <= RETRIES; attempt++) {
            Attempt end = attempt(call, key, deadline);
            long pause;
            switch (end) {
                case Attempt.Answered(String body) -> {
                    return body;
                }
                case Attempt.Failed(Reason why, String message, long asked) -> {
                    failure = message;
                    reason = why;
                    pause = asked >= 0 ? asked : pauseMillis(attempt);
                }
            }
            if (attempt == RETRIES) {
                break;
            }
            if (TimeUnit.MILLISECONDS.toNanos(pause) >= deadline - System.nanoTime()) {
                throw new ServiceException(
                        Reason.TIMED_OUT,
                        "%s, and no time is left to try again".formatted(failure));
            }
            Thread.sleep(pause);
        }
        throw new ServiceException(reason, "%s, %d times".formatted(failure, RETRIES + 1));
    }

    private Attempt attempt(ServiceCall call, Optional<String> key, long deadline)
            throws ServiceException, InterruptedException {
        if (turns.getQueueLength() >= WAITING_CALLS) {
            throw new ServiceException(
                    Reason.OVERLOADED,
                    "%d calls wait for network services".formatted(WAITING_CALLS));
        }
        if (!turns.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
            throw timedOut(call);
        }
        try {
            long nanos = Math.min(deadline - System.nanoTime(), ATTEMPT.toNanos());
            return attempt(call, key, Math.max(1, nanos), deadline);
        } finally {
            turns.release();
        }
    }

    private Attempt attempt(ServiceCall call, Optional<String> key, long nanos, long deadline)
            throws ServiceException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(call.endpoint())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(call.body()));
        Spans.writeHeaders(request::header);
        try {
            key.ifPresent(each -> request.header("Authorization", "Bearer " + each));
        } catch (IllegalArgumentException _) {
            // The message of the exception contains the key.
            throw new ServiceException(
                    Reason.FAILED,
                    "the secret '%s' is no valid value of a header"
                            .formatted(call.secret().orElse("")));
        }
        CompletableFuture<HttpResponse<byte[]>> sent =
                http().sendAsync(
                                request.build(),
                                BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES));
        try {
            return attempt(call, key, sent.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            sent.cancel(true);
            if (deadline - System.nanoTime() <= 0) {
                throw timedOut(call);
            }
            return new Attempt.Failed("%s did not answer within %s".formatted(host(call), ATTEMPT));
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (String.valueOf(e.getCause()).contains(TOO_LARGE)) {
                throw new ServiceException(
                        Reason.FAILED,
                        "%s answered more than %,d bytes".formatted(host(call), ANSWER_BYTES));
            }
            if (e.getCause() instanceof IOException failure) {
                return new Attempt.Failed(
                        "%s could not be called: %s"
                                .formatted(host(call), withoutKey(String.valueOf(failure), key)));
            }
            throw new IllegalStateException(
                    "a call of %s failed: %s"
                            .formatted(host(call), withoutKey(String.valueOf(e.getCause()), key)));
        }
    }

    private static Attempt attempt(
            ServiceCall call, Optional<String> key, HttpResponse<byte[]> answer)
            throws ServiceException {
        int status = answer.statusCode();
        if (status == 200) {
            return new Attempt.Answered(new String(answer.body(), StandardCharsets.UTF_8));
        }
        boolean mayPass = status == 429 || (status >= 500 && status != 501);
        if (mayPass) {
            return new Attempt.Failed(
                    status == 429 ? Reason.OVERLOADED : Reason.FAILED,
                    "%s answered with status %d".formatted(host(call), status),
                    retryAfterMillis(answer));
        }
        // Answers about a wrong key repeat parts of it.
        boolean isAboutKey = status == 401 || status == 403;
        throw new ServiceException(
                Reason.FAILED,
                isAboutKey
                        ? "%s answered with status %d: %s"
                                .formatted(host(call), status, keyHint(call))
                        : "%s answered with status %d: %s"
                                .formatted(host(call), status, shown(answer.body(), key)));
    }

    private static String keyHint(ServiceCall call) {
        return call.secret()
                .map(name -> "check the secret '%s'".formatted(name))
                .orElse("it needs a secret, and none is configured");
    }

    private Optional<String> key(ServiceCall call) throws ServiceException {
        if (call.secret().isEmpty()) {
            return Optional.empty();
        }
        String name = call.secret().get();
        try {
            Optional<String> key = rules.secrets().secret(name);
            if (key.isPresent()) {
                return key;
            }
        } catch (UnreadableSecretException e) {
            throw new ServiceException(Reason.FAILED, String.valueOf(e.getMessage()));
        }
        throw new ServiceException(
                Reason.FAILED,
                "there is no secret '%s'; the operator sets the environment variable %s, or puts a file of this name into the directory of the option --secrets"
                        .formatted(name, Secrets.variable(name)));
    }

    /** Returns the beginning of an answer on one line, without the key. */
    private static String shown(byte[] body, Optional<String> key) {
        int length = Math.min(body.length, 4 * SHOWN_CHARS);
        String text =
                withoutKey(new String(body, 0, length, StandardCharsets.UTF_8), key)
                        .replaceAll("[\\s\\p{Cntrl}]+", " ")
                        .strip();
        return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
    }

    private static String withoutKey(String text, Optional<String> key) {
        return key.map(each -> text.replace(each, "***")).orElse(text);
    }

    private static long retryAfterMillis(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(text -> TimeUnit.SECONDS.toMillis(Long.parseLong(text)))
                .orElse(-1L);
    }

    /**
     * Returns a pause that is random, so that calls that failed together do not return together.
     */
    private static long pauseMillis(int attempt) {
        long longest = PAUSE_MILLIS << attempt;
        return ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
    }

    private static ServiceException timedOut(ServiceCall call) {
        return new ServiceException(
                Reason.TIMED_OUT, "%s did not answer in time".formatted(host(call)));
    }

    private static String host(ServiceCall call) {
        return String.valueOf(call.endpoint().getHost());
    }

    /** Ends the requests in progress. */
    @Override
    public synchronized void close() {
        isClosed = true;
        http.ifPresent(HttpClient::shutdownNow);
    }
}
