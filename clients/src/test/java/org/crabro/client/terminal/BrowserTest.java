package org.crabro.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that open pages, as scripts of the test. */
class BrowserTest {
    private static final URI PAGE = URI.create("http://127.0.0.1:19071/console/?a=$(touch%20x);b");

    @TempDir private Path directory;

    private void program(String name, int status) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(
                file,
                "#!/bin/sh\nprintf %%s \"$*\" > '%s'\nexit %d\n"
                        .formatted(directory.resolve("opened"), status));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Browser browser(String display, boolean isMac) {
        return new Browser(
                Map.of("PATH", ":/nothing\0here:" + directory, "DISPLAY", display), isMac);
    }

    @Test
    void opensAPageWithTheProgramOfTheDesktop() throws Exception {
        program("xdg-open", 0);

        assertThat(browser(":0", false).open(PAGE)).isTrue();
        assertThat(directory.resolve("opened")).hasContent(PAGE.toString());
    }

    @Test
    void opensAPageWithTheProgramOfAMac() throws Exception {
        program("open", 0);

        assertThat(browser("", true).open(PAGE)).isTrue();
    }

    @Test
    void opensNothingWithoutADesktopOrAProgram() throws Exception {
        assertThat(browser(":0", false).open(PAGE)).isFalse();
        program("xdg-open", 0);
        assertThat(browser("", false).open(PAGE)).isFalse();
        assertThat(directory.resolve("opened")).doesNotExist();
    }

    @Test
    void reportsAProgramThatFails() throws Exception {
        program("xdg-open", 3);

        assertThat(browser(":0", false).open(PAGE)).isFalse();
    }

    @Test
    void opensOnlyPagesOfTheWeb() throws Exception {
        program("xdg-open", 0);

        assertThat(browser(":0", false).open(URI.create("file:///etc/passwd"))).isFalse();
        assertThat(directory.resolve("opened")).doesNotExist();
    }
}
