package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of operators on data with two stores. */
class FurtherStoresIT {
    private static final String FURTHER = "content-data-2";
    private static final int NOTES = 20;
    private static final int DAMAGED = 3;

    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="first" version="1.0">
                        <redundancy>1</redundancy>
                        <documents><document type="note" mode="streaming"/></documents>
                      </content>
                      <content id="further" version="1.0">
                        <redundancy>1</redundancy>
                        <documents><document type="note" mode="index"/></documents>
                      </content>
                    </services>
                    """,
                    "schemas/note.sd",
                    """
                    schema note {
                      document note {
                        field text type string { indexing: index | summary }
                      }
                    }
                    """);

    @TempDir Path directory;

    private ServedPackage fed(Path data) throws Exception {
        ServedPackage served = ServedPackage.of(data, FILES);
        for (int i = 0; i < NOTES; i++) {
            served.note("docid/" + i, "\"text\":\"" + text(i) + "\"");
        }
        return served;
    }

    private static String text(int number) {
        return "note number " + (1_000 + number);
    }

    private static List<String> ids() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < NOTES; i++) {
            ids.add("id:ns:note::" + i);
        }
        return ids;
    }

    private static void assertStored(Path data, String cluster, List<String> ids) throws Exception {
        try (var served = new ServedPackage(data)) {
            assertThat(
                            served.everything(
                                    "/document/v1/?wantedDocumentCount=100&cluster=" + cluster))
                    .containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void restoreAndInspectWorkOnAllStores() throws Exception {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (ServedPackage served = fed(directory.resolve("data"))) {
            served.backUp(backup);
        }

        ServerCommand.Result result =
                ServerCommand.run("restore", backup.toString(), "--data", restored.toString());

        assertThat(result.status()).as(result.output()).isZero();
        for (Path each : List.of(directory.resolve("data"), backup, restored)) {
            ServerCommand.Result inspected = ServerCommand.run("inspect", each.toString());
            assertThat(inspected.status()).as(inspected.output()).isZero();
            assertThat(inspected.output()).contains(FURTHER);
        }
        assertStored(restored, "first", ids());
        assertStored(restored, "further", ids());
    }

    @Test
    void aManifestOfTheFurtherStoreIsRebuilt() throws Exception {
        Path data = directory.resolve("data");
        try (ServedPackage served = fed(data)) {
            served.backUp(directory.resolve("backup"));
        }
        Path lost = aFile(data.resolve(FURTHER + "/partitions"), "manifest.");
        try (Stream<Path> manifests = Files.list(lost.getParent())) {
            for (Path each : manifests.filter(path -> isNamed(path, "manifest.")).toList()) {
                Files.delete(each);
            }
        }
        assertThatIOException()
                .isThrownBy(() -> new ServedPackage(data))
                .withMessageContaining("crabro rebuild-manifest");

        ServerCommand.Result told = ServerCommand.run("rebuild-manifest", data.toString());
        ServerCommand.Result done =
                ServerCommand.run("rebuild-manifest", data.toString(), "--accept-loss");

        assertThat(told.status()).as(told.output()).isOne();
        assertThat(told.output())
                .contains("every partition has its manifest", "No run was changed");
        assertThat(done.status()).as(done.output()).isZero();
        assertStored(data, "further", ids());
        assertStored(data, "first", ids());
    }

    @Test
    void theJournalOfTheFurtherStoreIsCut() throws Exception {
        Path data = directory.resolve("data");
        fed(data).close();
        damage(data.resolve(FURTHER + "/journal"), text(DAMAGED));
        assertThatIOException()
                .isThrownBy(() -> new ServedPackage(data))
                .withMessageContaining("crabro cut-journal");

        ServerCommand.Result told = ServerCommand.run("cut-journal", data.toString());
        ServerCommand.Result done =
                ServerCommand.run("cut-journal", data.toString(), "--accept-loss");

        assertThat(told.status()).as(told.output()).isOne();
        assertThat(told.output())
                .contains("no lost records were found", "lost: records", "Nothing was changed.");
        assertThat(done.status()).as(done.output()).isZero();
        assertStored(data, "first", ids());
        // The stop before wrote all documents into runs.
        assertStored(data, "further", ids());
    }

    /** Changes a byte of a text in a journal. */
    private static void damage(Path journal, String text) throws IOException {
        try (Stream<Path> segments = Files.list(journal)) {
            for (Path segment : segments.toList()) {
                byte[] bytes = Files.readAllBytes(segment);
                int at = new String(bytes, ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(segment, bytes);
                    return;
                }
            }
        }
        throw new AssertionError("the journal does not contain '" + text + "'");
    }

    private static Path aFile(Path directory, String name) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(path -> isNamed(path, name)).findFirst().orElseThrow();
        }
    }

    private static boolean isNamed(Path path, String start) {
        return path.getFileName().toString().startsWith(start);
    }
}
