package org.crabro.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrabroServerTest {
    @TempDir private Path directory;

    /** Such as a backup that was copied to where the directory of all data was expected. */
    @Test
    void refusesDocumentsWhereTheDirectoryOfAllDataIsExpected() throws IOException {
        ContentNode.open(ContentSettings.in(directory)).close();
        List<Path> before = files();

        var error =
                assertThrows(
                        IOException.class,
                        () -> CrabroServer.start(ServerSettings.onAnyPorts(directory)));

        assertEquals(
                ("'%s' contains documents itself: move all of it into '%s', or name the directory"
                                + " whose 'content-data' it is")
                        .formatted(directory, directory.resolve("content-data")),
                error.getMessage());
        assertEquals(before, files(), "nothing is begun beside it");
    }

    @Test
    void namesAnotherAddressOfDocuments() {
        URI search = URI.create("http://127.0.0.1:8080");

        assertEquals(
                "search and documents http://127.0.0.1:8080", Activation.served(search, search));
        assertEquals(
                "search http://127.0.0.1:8080, documents http://127.0.0.1:8081",
                Activation.served(search, URI.create("http://127.0.0.1:8081")));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }
}
