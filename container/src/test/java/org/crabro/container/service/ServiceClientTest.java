package org.crabro.container.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ScriptedService.Answer;
import org.crabro.container.service.ServiceException.Reason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceClientTest {
    private static final String KEY = "sk-hidden-0123456789";
    private static final Duration LONG = Duration.ofMinutes(2);

    private final ServiceClient client =
            new ServiceClient(
                    new ServiceRules(
                            Secrets.of(
                                    Map.of(
                                            "VESPA_SECRET_KEY",
                                            KEY,
                                            "VESPA_SECRET_ODD",
                                            KEY + "\u2192"),
                                    Optional.empty()),
                            ServiceHosts.of("127.0.0.1")));

    private ScriptedService service;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService(body -> Answer.of(200, "echo " + body));
    }

    @AfterEach
    void stop() {
        client.close();
        service.close();
    }

    @Test
    void sendsTheBodyAndTheSecret() throws ServiceException {
        assertThat(post("key", "{}", LONG)).isEqualTo("echo {}");
        assertThat(service.requests())
                .containsExactly(
                        new ScriptedService.Request("/v1/embeddings", "Bearer " + KEY, "{}"));
    }

    @Test
    void sendsNoAuthorizationWithoutASecret() throws ServiceException {
        assertThat(post("", "{}", LONG)).isEqualTo("echo {}");
        assertThat(service.requests().getFirst().authorization()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 502, 503, 504, -1})
    void triesAgainAfterFailuresThatMayPass(int status) throws ServiceException {
        service.then(Answer.of(status, "busy")).then(Answer.of(status, "busy"));

        assertThat(post("key", "{}", LONG)).isEqualTo("echo {}");
        assertThat(service.requests()).hasSize(3);
    }

    @Test
    void waitsAsLongAsTheServiceAsks() throws ServiceException {
        service.then(new Answer(429, Map.of("Retry-After", "0"), ""));

        assertThat(post("key", "{}", LONG)).isEqualTo("echo {}");
    }

    @Test
    void doesNotWaitBeyondItsTimeout() {
        service.then(new Answer(429, Map.of("Retry-After", "3600"), ""));

        fails(
                "key",
                LONG,
                Reason.TIMED_OUT,
                "127.0.0.1 answered with status 429, and no time is left to try again");
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void givesUpAfterThreeFurtherAttempts() {
        for (int i = 0; i < 5; i++) {
            service.then(new Answer(503, Map.of("Retry-After", "0"), ""));
        }

        fails("key", LONG, Reason.FAILED, "127.0.0.1 answered with status 503, 4 times");
        assertThat(service.requests()).hasSize(4);
    }

    @Test
    void reportsAnOverloadedService() {
        for (int i = 0; i < 4; i++) {
            service.then(new Answer(429, Map.of("Retry-After", "0"), ""));
        }

        fails("key", LONG, Reason.OVERLOADED, "127.0.0.1 answered with status 429, 4 times");
    }

    @Test
    void endsASlowCallAtItsTimeout() {
        service.then(Answer.of(0, ""));

        fails("key", Duration.ofMillis(50), Reason.TIMED_OUT, "127.0.0.1 did not answer in time");
    }

    @Test
    void showsTheAnswerOfARefusalWithoutTheKey() {
        service.then(Answer.of(400, "{\"error\":\n \"bad input " + KEY + "\"}"));

        fails(
                "key",
                LONG,
                Reason.FAILED,
                "127.0.0.1 answered with status 400: {\"error\": \"bad input ***\"}");
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void doesNotShowAnswersAboutAKey() {
        service.then(Answer.of(401, "Incorrect key provided: sk-hidden***6789"))
                .then(Answer.of(403, "no"));

        fails(
                "key",
                LONG,
                Reason.FAILED,
                "127.0.0.1 answered with status 401: check the secret 'key'");
        fails(
                "",
                LONG,
                Reason.FAILED,
                "127.0.0.1 answered with status 403: it needs a secret, and none is configured");
    }

    @Test
    void followsNoRedirect() {
        service.then(
                new Answer(307, Map.of("Location", service.uri("/elsewhere").toString()), "moved"));

        fails("key", LONG, Reason.FAILED, "127.0.0.1 answered with status 307: moved");
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void namesTheMissingSecret() {
        fails(
                "other-key",
                LONG,
                Reason.FAILED,
                "there is no secret 'other-key'; the operator sets the environment variable VESPA_SECRET_OTHER_KEY, or puts a file of this name into the directory of the option --secrets");
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void doesNotShowAKeyThatAHeaderCannotContain() {
        fails("odd", LONG, Reason.FAILED, "the secret 'odd' is no valid value of a header");
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void callsNoHostThatTheOperatorDoesNotAllow() {
        ServiceException failure =
                catchThrowableOfType(
                        ServiceException.class,
                        () ->
                                client.post(
                                        new ServiceCall(
                                                URI.create("http://localhost:1/v1"),
                                                Optional.empty(),
                                                "",
                                                LONG)));

        assertThat(failure)
                .hasMessage(
                        "this server does not call localhost:1; its operator allows it with --services localhost:1, or the setting services.hosts");
    }

    @Test
    void reportsAServiceThatIsNotThere() {
        URI gone = service.uri("/v1/embeddings");
        service.close();

        ServiceException failure =
                catchThrowableOfType(
                        ServiceException.class,
                        () -> client.post(new ServiceCall(gone, Optional.empty(), "", LONG)));

        assertThat(failure).hasMessageStartingWith("127.0.0.1 could not be called: ");
        assertThat(failure).hasMessageEndingWith(", 4 times");
    }

    @Test
    void boundsTheRequestsInProgress() throws Exception {
        for (int i = 0; i < ServiceClient.REQUESTS_AT_ONCE; i++) {
            service.then(Answer.of(0, ""));
        }
        List<Future<String>> blocked = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < ServiceClient.REQUESTS_AT_ONCE; i++) {
                blocked.add(threads.submit(() -> post("key", "{}", LONG)));
            }
            await().until(() -> service.requests().size() == ServiceClient.REQUESTS_AT_ONCE);

            fails(
                    "key",
                    Duration.ofMillis(50),
                    Reason.TIMED_OUT,
                    "127.0.0.1 did not answer in time");
            assertThat(service.requests()).hasSize(ServiceClient.REQUESTS_AT_ONCE);
            blocked.forEach(each -> each.cancel(true));
        }
    }

    private String post(String secret, String body, Duration timeout) throws ServiceException {
        return client.post(
                new ServiceCall(
                        service.uri("/v1/embeddings"),
                        secret.isEmpty() ? Optional.empty() : Optional.of(secret),
                        body,
                        timeout));
    }

    private void fails(String secret, Duration timeout, Reason reason, String message) {
        ServiceException failure =
                catchThrowableOfType(ServiceException.class, () -> post(secret, "{}", timeout));

        assertThat(failure).hasMessage(message);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.toString()).doesNotContain(KEY);
    }
}
