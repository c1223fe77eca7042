package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.crabro.config.application.PackageArchive.Format;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.application.RemoteFiles;
import org.crabro.container.reindex.ReindexRegister;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentsTest {
    private static final DeployParameters PLAIN =
            new DeployParameters("default", "default", DeployParameters.Flags.NONE, Duration.ZERO);

    private static final String TEXT = "field text type string { indexing: index | summary }";

    @TempDir Path directory;
    private final RecordedActivation activation = new RecordedActivation();

    @Test
    void servesTheSameApplicationAfterARestart() throws Exception {
        Deployments before = open();
        deploy(before, Packages.files(TEXT));
        deploy(before, Packages.files(TEXT, "field year type int { indexing: attribute }"));
        var again = new RecordedActivation();

        Deployments after = open(again);
        after.restore();
        DeployReply next = deploy(after, Packages.files(TEXT));

        assertThat(again.models.getFirst()).isEqualTo(activation.models.getLast());
        assertThat(again.models.getFirst().generation()).isEqualTo(2);
        assertThat(again.occasions)
                .containsExactly(
                        ModelActivation.Occasion.START, ModelActivation.Occasion.DEPLOYMENT);
        assertThat(next)
                .isInstanceOfSatisfying(
                        DeployReply.Deployed.class,
                        deployed -> assertThat(deployed.generation()).isEqualTo(3));
    }

    @Test
    void startsWithNothing() throws Exception {
        Deployments deployments = open();

        deployments.restore();

        assertThat(deployments.active().model()).isEmpty();
        assertThat(activation.models).isEmpty();
    }

    @Test
    void startsWithoutAPackageThatIsNoApplicationAnyMore() throws Exception {
        deploy(open(), Packages.files(TEXT));
        Files.writeString(directory.resolve("1/schemas/note.sd"), "schema note { broken }");
        var again = new RecordedActivation();

        Deployments after = open(again);
        after.restore();
        DeployReply next = deploy(after, Packages.files(TEXT));

        assertThat(again.models.stream().map(model -> model.generation())).containsExactly(2L);
        assertThat(next).isInstanceOf(DeployReply.Deployed.class);
    }

    @Test
    void keepsTheGenerationBeforeAndNoOlderOne() throws Exception {
        Deployments deployments = open();
        for (int i = 0; i < 4; i++) {
            deploy(deployments, Packages.files(TEXT));
        }

        assertThat(names()).containsExactlyInAnyOrder("3", "4", "active");
        assertThat(Files.readString(directory.resolve("active"))).isEqualTo("4\n");
    }

    @Test
    void deletesWhatACrashLeft() throws Exception {
        deploy(open(), Packages.files(TEXT));
        Files.createDirectories(directory.resolve("2/schemas"));
        Files.writeString(directory.resolve("2/schemas/a.sd"), "");
        Files.writeString(directory.resolve("upload-1"), "half");

        open().restore();

        assertThat(names()).containsExactlyInAnyOrder("1", "active");
    }

    @Test
    void forgetsSessionsAtAStartAndNeverGivesTheirNumbersAgain() throws Exception {
        Deployments before = open();
        deploy(before, Packages.files(TEXT));
        create(before);
        create(before);

        Deployments after = open();
        after.restore();

        assertThat(names()).containsExactlyInAnyOrder("1", "active");
        assertThat(after.prepare(3, "default", PLAIN)).isInstanceOf(DeployReply.Missing.class);
        assertThat(create(after)).isEqualTo(new DeployReply.Created(4));
        assertThat(create(open())).isEqualTo(new DeployReply.Created(5));
    }

    @Test
    void keepsSessionsThatOthersOvertook() throws Exception {
        Deployments deployments = open();
        create(deployments);
        deploy(deployments, Packages.files(TEXT));
        deploy(deployments, Packages.files(TEXT));

        assertThat(names()).containsExactlyInAnyOrder("1", "2", "3", "active");
    }

    @Test
    void receivesNoMoreAtOnceThanItMayAndKeepsNothingOfIt() throws Exception {
        Uploads uploads = new Uploads(PackageStore.open(directory), 2, Duration.ofSeconds(10));
        Uploads.Upload file = uploads.file().orElseThrow();
        Uploads.Upload form = uploads.directory().orElseThrow();
        Files.writeString(form.path().resolve("part"), "half");

        assertThat(uploads.file()).isEmpty();
        assertThat(uploads.directory()).isEmpty();
        form.close();
        Uploads.Upload next = uploads.file().orElseThrow();
        assertThat(uploads.file()).isEmpty();
        file.close();
        next.close();
        assertThat(names()).isEmpty();
    }

    @Test
    void refusesToGuessWhatWasActive() throws Exception {
        Files.writeString(directory.resolve("active"), "one");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::open)
                .withMessageEndingWith(
                        "active: expected the number of a generation, but found 'one'");
    }

    private Deployments open() throws IOException {
        return open(activation);
    }

    private Deployments open(ModelActivation given) throws IOException {
        return new Deployments(
                PackageStore.open(directory),
                RemoteFiles.NONE,
                new DeployLimits(
                        PackageLimits.DEFAULT,
                        SessionLimits.DEFAULT,
                        Duration.ofSeconds(10),
                        Duration.ZERO),
                given,
                ReindexRegister.open(directory.resolve("reindexing"), InstantSource.system()),
                InstantSource.system());
    }

    private static DeployReply deploy(Deployments deployments, Map<String, String> files)
            throws Exception {
        try (Uploads.Upload upload = deployments.uploads().file().orElseThrow()) {
            Files.write(upload.path(), Packages.zip(files));
            return deployments.deploy(upload.path(), Format.ZIP, "default", PLAIN);
        }
    }

    private static DeployReply create(Deployments deployments) throws Exception {
        try (Uploads.Upload upload = deployments.uploads().file().orElseThrow()) {
            Files.write(upload.path(), Packages.zip(Packages.files(TEXT)));
            return deployments.create(upload.path(), Format.ZIP, "default", Duration.ZERO);
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("last") && !name.equals("history"))
                    .toList();
        }
    }
}
