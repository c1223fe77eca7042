package org.crabro.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("a.settings");
    }

    @Test
    void readsNamesAndValuesWithTheirLines() throws IOException {
        Files.writeString(file, "# comment\n\n  a.b = 1 \nc=x = y\r\n");

        assertThat(SettingsFile.read(file))
                .containsExactly(
                        new Assignment("a.b", "1", file + ":3"),
                        new Assignment("c", "x = y", file + ":4"));
    }

    @Test
    void listsEveryLineThatIsNoAssignment() throws IOException {
        Files.writeString(file, "a = 1\nno value\n= 2\na = 3\n");

        assertThatThrownBy(() -> SettingsFile.read(file))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage(
                        """
                        FILE:2: expected 'name = value' or a comment that begins with '#', found 'no value'
                        FILE:3: expected 'name = value' or a comment that begins with '#', found '= 2'
                        FILE:4: 'a' is already set at FILE:1\
                        """
                                .replace("FILE", file.toString()));
    }

    @Test
    void refusesAFileThatIsMissingOrTooLargeOrNotText() throws IOException {
        assertThatThrownBy(() -> SettingsFile.read(file))
                .hasMessage("there is no settings file '%s'", file);

        Files.write(file, "\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> SettingsFile.read(file))
                .hasMessage("the settings file '%s' is not UTF-8", file);

        Files.write(file, new byte[SettingsFile.BYTES_MAX + 1]);
        assertThatThrownBy(() -> SettingsFile.read(file))
                .hasMessage("the settings file '%s' is larger than 1048576 bytes", file);
    }

    @Test
    void refusesAnOptionWithoutAValue() {
        assertThatThrownBy(() -> SettingsFile.ofOption("--set", "a"))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage("--set a: expected 'NAME=VALUE'");
    }
}
