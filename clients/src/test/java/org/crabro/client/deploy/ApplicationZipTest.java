package org.crabro.client.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.crabro.client.file.FilesBelow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationZipTest {
    @TempDir private Path directory;
    private Path application = Path.of("");

    @BeforeEach
    void write() throws IOException {
        application = directory.resolve("application");
        Files.createDirectories(application.resolve("schemas"));
        Files.writeString(application.resolve("services.xml"), "<services/>");
        Files.writeString(application.resolve("schemas/a.sd"), "schema a {}");
        Files.createSymbolicLink(application.resolve("schemas/b.sd"), Path.of("a.sd"));
    }

    @Test
    void packsFilesAndLinksInsideThePackage() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), application);

        assertThat(names(ApplicationZip.of(application)))
                .containsExactly("schemas/a.sd", "schemas/b.sd", "services.xml");
        assertThat(names(ApplicationZip.of(link))).hasSize(3);
    }

    @Test
    void refusesALinkThatLeadsOutOfThePackage() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "key");
        Files.createSymbolicLink(application.resolve("schemas/c.sd"), secret);

        assertThatThrownBy(() -> ApplicationZip.of(application))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "schemas/c.sd is a link that leads out of the package; put the file into the package, or deploy with --follow-links");
        assertThat(names(ApplicationZip.of(application, FilesBelow.Links.ALL)))
                .contains("schemas/c.sd");
    }

    private static List<String> names(byte[] archive) throws IOException {
        var names = new ArrayList<String>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }
}
