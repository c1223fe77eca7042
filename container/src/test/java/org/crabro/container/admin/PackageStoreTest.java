package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.config.application.ApplicationName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageStoreTest {
    @TempDir Path directory;

    @Test
    void copiesTheActiveGenerationWhileOthersAreActivated() throws IOException {
        PackageStore store = PackageStore.open(directory.resolve("packages"));
        store.writeTenants(List.of("anna"));
        deploy(store);
        Map<String, String> copied = new TreeMap<>();

        store.copyActive((path, content) -> {
            copied.put(path, new String(content.readAllBytes(), UTF_8));
            deploy(store);
        });

        assertThat(copied)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "1/schemas/note.sd", "schema 1",
                                "1/services.xml", "services 1",
                                "active", "1\n",
                                "last", "4\n",
                                "tenants", "anna\n"));
        deploy(store);
        assertThat(store.files(1)).doesNotExist();
    }

    @Test
    void beginsWithACopyAsWithTheOriginal() throws IOException {
        PackageStore store = PackageStore.open(directory.resolve("packages"));
        ApplicationName name = ApplicationName.parse("anna.mail.default").orElseThrow();
        deploy(store, name);
        Path copy = directory.resolve("copy");
        store.copyActive((path, content) -> {
            Files.createDirectories(copy.resolve(path).resolve(".."));
            Files.copy(content, copy.resolve(path));
        });

        PackageStore opened = PackageStore.open(copy);

        assertThat(opened.active()).hasValue(1);
        assertThat(opened.name()).isEqualTo(name);
        assertThat(opened.newGeneration()).isEqualTo(2);
        assertThat(opened.files(1).resolve("services.xml")).hasContent("services 1");
    }

    @Test
    void copiesNoPackageWhereNoneIsActive() throws IOException {
        PackageStore store = PackageStore.open(directory.resolve("packages"));
        deploy(store);
        store.deactivate();
        Map<String, String> copied = new TreeMap<>();

        store.copyActive(
                (path, content) -> copied.put(path, new String(content.readAllBytes(), UTF_8)));

        assertThat(copied).containsExactly(Map.entry("last", "1\n"));
    }

    private static void deploy(PackageStore store) throws IOException {
        deploy(store, ApplicationName.DEFAULT);
    }

    private static void deploy(PackageStore store, ApplicationName name) throws IOException {
        long generation = store.newGeneration();
        Path files = store.files(generation);
        Files.createDirectories(files.resolve("schemas"));
        Files.writeString(files.resolve("services.xml"), "services " + generation);
        Files.writeString(files.resolve("schemas/note.sd"), "schema " + generation);
        store.activate(generation, name, List.of());
    }
}
