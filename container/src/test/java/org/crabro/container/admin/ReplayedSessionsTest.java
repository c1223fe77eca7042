package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.crabro.container.admin.AdminConnection.APPLICATION;
import static org.crabro.container.admin.AdminConnection.SESSION;
import static org.crabro.container.admin.AdminConnection.TENANT;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.crabro.config.application.PackageLimits;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of deployments that were sent before, in another order, or by another sender. */
class ReplayedSessionsTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(10, 1_000_000, Duration.ofHours(1), 2);

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void open() throws Exception {
        connection = AdminConnection.open(directory, PackageLimits.DEFAULT, LIMITS, 20_000);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    private void create(String... fields) throws Exception {
        HttpTester.Response reply = connection.post(SESSION, Packages.zip(Packages.files(fields)));
        assertThat(reply.getStatus()).isEqualTo(200);
    }

    private int prepare(long session) throws Exception {
        return connection.put(SESSION + "/" + session + "/prepared").getStatus();
    }

    private HttpTester.Response activate(long session) throws Exception {
        return connection.put(SESSION + "/" + session + "/active");
    }

    /** Activates sessions 1 to 3, one after another, and leaves session 4 prepared. */
    private void activateThree() throws Exception {
        for (int session = 1; session <= 4; session++) {
            create("field a type int {}");
            assertThat(prepare(session)).isEqualTo(200);
            if (session <= 3) {
                assertThat(activate(session).getStatus()).isEqualTo(200);
            }
        }
    }

    private long activeGeneration() throws Exception {
        String answer = connection.get(APPLICATION).getContent();
        return Long.parseLong(answer.replaceFirst(".*?\"generation\":(\\d+),.*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 5, 999_999_999_999_999_999L})
    void noStepOfAnotherSessionChangesTheActiveOne(long session) throws Exception {
        activateThree();
        int activations = connection.activation.models.size();
        String of = SESSION + "/" + session;

        for (HttpTester.Response reply :
                List.of(
                        connection.put(of + "/prepared"),
                        connection.put(of + "/prepared?ignoreValidationErrors=true&force=true"),
                        connection.put(of + "/active"),
                        connection.put(of + "/active?force=true"),
                        connection.put(of + "/active?force=true&ignoreValidationErrors=true"),
                        connection.put(of + "/content/services.xml", "<services/>"),
                        connection.put(of + "/content/new.txt", "x"),
                        connection.put(of + "/content/new/", ""),
                        connection.delete(of + "/content/services.xml"))) {
            assertThat(reply.getStatus()).as(reply.getContent()).isIn(400, 404);
        }

        assertThat(activeGeneration()).isEqualTo(3);
        assertThat(connection.activation.models).hasSize(activations);
        assertThat(connection.get(APPLICATION + "/content/services.xml").getContent())
                .contains("<content");
        assertThat(connection.get(APPLICATION + "/content/new.txt").getStatus()).isEqualTo(404);
        assertThat(activate(4).getStatus()).isEqualTo(200);
    }

    @Test
    void sessionsOfAnotherTenantDoNotExist() throws Exception {
        connection.put("/application/v2/tenant/shop");
        activateThree();
        String root = "/application/v2/tenant/shop/session/";

        for (long session = 1; session <= 4; session++) {
            for (HttpTester.Response reply :
                    List.of(
                            connection.put(root + session + "/prepared"),
                            connection.get(root + session + "/prepared"),
                            connection.put(root + session + "/active?force=true"),
                            connection.get(root + session + "/content/services.xml"),
                            connection.get(root + session + "/content/?recursive=true"),
                            connection.put(root + session + "/content/services.xml", "x"),
                            connection.delete(root + session + "/content/services.xml"))) {
                assertThat(reply.getStatus()).as(reply.getContent()).isEqualTo(404);
                assertThat(reply.getContent()).doesNotContain("<services");
            }
        }
        assertThat(activeGeneration()).isEqualTo(3);
    }

    /** The change to session 2 loses documents of the field that session 3 has. */
    @Test
    void aForcedActivationIsComparedWithTheActiveApplication() throws Exception {
        create("field a type int {}");
        prepare(1);
        activate(1);
        create("field a type int {}", "field b type int {}");
        create("field a type int {}", "field b type string {}");
        assertThat(prepare(2)).isEqualTo(200);
        assertThat(prepare(3)).isEqualTo(200);
        assertThat(activate(3).getStatus()).isEqualTo(200);

        HttpTester.Response forced = connection.put(SESSION + "/2/active?force=true");

        assertThat(forced.getStatus()).isEqualTo(409);
        assertThat(forced.getContent())
                .contains(
                        "ACTIVATION_CONFLICT",
                        "session 2 cannot be activated: session 3 was activated since it was prepared; prepare it again");
        assertThat(activeGeneration()).isEqualTo(3);
        HttpTester.Response prepared = connection.put(SESSION + "/2/prepared");
        assertThat(prepared.getStatus()).isEqualTo(400);
        assertThat(prepared.getContent()).contains("field-type-change");
        assertThat(connection.put(SESSION + "/2/active?force=true").getStatus()).isEqualTo(400);
        assertThat(activeGeneration()).isEqualTo(3);
    }

    @Test
    void oneOfManyConcurrentActivationsSucceeds() throws Exception {
        create("field a type int {}");
        prepare(1);

        List<Integer> statuses =
                together(
                        IntStream.range(0, 8)
                                .<Callable<Integer>>mapToObj(_ -> () -> activate(1).getStatus())
                                .toList());

        assertThat(statuses)
                .containsOnlyOnce(200)
                .allMatch(status -> status == 200 || status == 400 || status == 409);
        assertThat(connection.activation.models).hasSize(1);
        assertThat(activeGeneration()).isEqualTo(1);
    }

    private List<Integer> together(List<Callable<Integer>> calls) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(calls).stream().map(Future::resultNow).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The number of a deleted application is not used again, and its session is gone. */
    @Test
    void aDeletedApplicationIsNotActivatedAgain() throws Exception {
        activateThree();
        assertThat(connection.delete(APPLICATION).getStatus()).isEqualTo(200);

        for (long session = 1; session <= 3; session++) {
            assertThat(connection.put(SESSION + "/" + session + "/active?force=true").getStatus())
                    .isEqualTo(404);
        }
        assertThat(connection.get(APPLICATION).getStatus()).isEqualTo(404);
        HttpTester.Response next =
                connection.post(
                        TENANT + "/prepareandactivate",
                        Packages.zip(Packages.files("field a type int {}")));
        assertThat(next.getContent()).contains("\"session-id\":\"5\"");
    }

    @Test
    void anExpiredSessionIsNotActivated() throws Exception {
        activateThree();
        connection.now = connection.now.plus(LIMITS.life());

        assertThat(activate(4).getStatus()).isEqualTo(404);
        assertThat(connection.put(SESSION + "/4/content/services.xml", "x").getStatus())
                .isEqualTo(404);
        assertThat(activeGeneration()).isEqualTo(3);
    }
}
