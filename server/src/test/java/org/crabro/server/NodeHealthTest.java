package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.Container;
import org.crabro.container.admin.ModelActivation;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.content.node.ContentNode;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.server.warmup.QueryWarmUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node's failures, as load balancers and supervisors see them. */
class NodeHealthTest {
    private static final int RESERVE = 1 << 20;

    @TempDir private Path directory;

    private final MetricIntervals metrics = new MetricIntervals(InstantSource.system());
    private final HttpClient http = HttpClient.newHttpClient();
    private final UncaughtErrors errors = new UncaughtErrors();
    private MappedLogFiles files;
    private FailingDisk disk;
    private ContentStores content;
    private Container container;

    @BeforeEach
    void start() throws Exception {
        files = new MappedLogFiles(directory.resolve("data"));
        disk = new FailingDisk(files);
        ServerSettings settings = ServerSettings.onAnyPorts(directory);
        content =
                ContentStores.open(
                        settings.content()
                                .withRecent(
                                        RecentSettings.DEFAULT.withFeed(
                                                FeedLimits.DEFAULT
                                                        .withMemory(1)
                                                        .withReservedBytes(RESERVE))),
                        each -> ContentNode.open(each, disk, InstantSource.system()),
                        new StoreLinks(settings.wire()),
                        errors);
        new ServerMeters(metrics.registry()).measure(content, directory);
        container =
                Container.start(
                        settings.container(),
                        content,
                        EmbedderSettings::open,
                        ReindexRegister.open(
                                directory.resolve("reindexing.properties"), InstantSource.system()),
                        metrics);
        var activation = new Activation(content, container, QueryWarmUp.none());
        assertThat(activation.activate(model(), ModelActivation.Occasion.DEPLOYMENT))
                .isEqualTo(new ModelActivation.Reply.Activated());
    }

    @AfterEach
    void stop() throws IOException {
        http.close();
        container.close();
        content.close();
        metrics.close();
        files.close();
    }

    @Test
    void isDownAfterAForceOfTheJournalFailed() throws Exception {
        assertThat(put()).isEqualTo(200);
        assertThat(get("/status.html").statusCode()).isEqualTo(200);
        assertThat(get("/state/v1/health").body()).contains("{\"code\":\"up\"}");

        disk.failForces(true);
        assertThat(put()).isEqualTo(500);
        disk.failForces(false);

        assertThat(put()).as("a force is never retried").isEqualTo(500);
        assertThat(get("/status.html").statusCode()).isEqualTo(404);
        assertThat(get("/status.html").body())
                .isEqualTo("the journal failed, writes need a restart: input/output error\n");
        assertThat(get("/state/v1/health").body())
                .contains(
                        "{\"code\":\"down\",\"message\":\"the journal failed, writes need a"
                                + " restart: input/output error\"}");
        assertThat(gauge("content.store.journal.failed")).isEqualTo(1);
        assertThat(gauge("content.store.problems")).isEqualTo(1);
        assertThat(
                        metrics.registry()
                                .get("content.store.writes.refused")
                                .tag("reason", "failure")
                                .functionCounter()
                                .count())
                .isEqualTo(2);
    }

    @Test
    void isDownAfterAnErrorOfTheVirtualMachineEndedAThread() throws Exception {
        errors.uncaughtException(Thread.currentThread(), new StackOverflowError());
        errors.uncaughtException(Thread.currentThread(), new IllegalStateException());
        assertThat(get("/status.html").statusCode()).isEqualTo(200);

        errors.uncaughtException(Thread.currentThread(), new OutOfMemoryError("native memory"));

        assertThat(get("/status.html").statusCode()).isEqualTo(404);
        assertThat(get("/status.html").body())
                .isEqualTo("a thread ended: java.lang.OutOfMemoryError\n");
    }

    @Test
    void isDownWhileTheDiskIsFull() throws Exception {
        disk.limitFree(RESERVE / 4);

        assertThat(put()).isEqualTo(507);
        assertThat(get("/status.html").statusCode()).isEqualTo(404);
        assertThat(get("/state/v1/health").body())
                .contains(
                        "{\"code\":\"down\",\"message\":\"all writes are refused: the disk has"
                                + " 262,144 bytes free, and 524,288 are kept for flushing and"
                                + " compaction\"}");

        disk.limitFree(Long.MAX_VALUE);

        assertThat(get("/status.html").statusCode()).isEqualTo(200);
        assertThat(get("/state/v1/health").body()).contains("{\"code\":\"up\"}");
        assertThat(put()).isEqualTo(200);
    }

    @Test
    void staysUpAndNamesTheProblemWhileOnlyPutsAreRefused() throws Exception {
        disk.limitFree(RESERVE - 1);

        assertThat(put()).isEqualTo(507);
        assertThat(get("/status.html").statusCode()).isEqualTo(200);
        assertThat(get("/state/v1/health").body())
                .contains(
                        "{\"code\":\"up\",\"message\":\"puts are refused: the disk has 1,048,575"
                                + " bytes free, and 1,048,576 are kept for flushing and"
                                + " compaction\"}");
        assertThat(gauge("content.store.problems")).isEqualTo(1);
        assertThat(gauge("content.store.journal.failed")).isZero();
    }

    private ApplicationModel model() throws IOException {
        Path application = directory.resolve("application");
        Files.createDirectories(application.resolve("schemas"));
        Files.writeString(
                application.resolve("schemas/note.sd"),
                "schema note { document note { field text type string { indexing: index } } }");
        Files.writeString(
                application.resolve("services.xml"),
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/><document-api/></container>
                  <content id="notes" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents><document type="note" mode="streaming"/></documents>
                  </content>
                </services>
                """);
        return ApplicationCompiler.compile(DirectoryFiles.of(application), 1).model();
    }

    private double gauge(String name) {
        return metrics.registry().get(name).gauge().value();
    }

    private int put() throws Exception {
        URI document = container.url().resolve("/document/v1/test/note/group/a/1");
        return http.send(
                        HttpRequest.newBuilder(document)
                                .POST(BodyPublishers.ofString("{\"fields\":{\"text\":\"one\"}}"))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(container.url().resolve(path)).build(),
                BodyHandlers.ofString());
    }
}
