package org.crabro.container.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "openai-api-key, VESPA_SECRET_OPENAI_API_KEY",
        "openaiApiKey, VESPA_SECRET_OPENAI_API_KEY",
        "OPENAI_API_KEY, VESPA_SECRET_OPENAI_API_KEY",
        "my.key2, VESPA_SECRET_MY_KEY2",
    })
    void namesTheVariableOfASecret(String name, String variable) {
        assertThat(Secrets.variable(name)).isEqualTo(variable);
        assertThat(Secrets.of(Map.of(variable, "k1"), Optional.empty()).secret(name))
                .contains("k1");
    }

    @Test
    void readsAFileAtEachCall() throws IOException {
        var secrets = Secrets.of(Map.of(), Optional.of(directory));

        assertThat(secrets.secret("key")).isEmpty();
        Files.writeString(directory.resolve("key"), "first\n");
        assertThat(secrets.secret("key")).contains("first");
        Files.writeString(directory.resolve("key"), "second\r\n");
        assertThat(secrets.secret("key")).contains("second");
    }

    @Test
    void prefersTheVariableToTheFile() throws IOException {
        Files.writeString(directory.resolve("key"), "file");

        assertThat(
                        Secrets.of(Map.of("VESPA_SECRET_KEY", "variable"), Optional.of(directory))
                                .secret("key"))
                .contains("variable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../outside", "a/b", ".hidden", "a b"})
    void readsNoFileOutsideItsDirectory(String name) throws IOException {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        Files.writeString(directory.resolve("outside"), "secret");

        assertThat(Secrets.of(Map.of(), Optional.of(inner)).secret(name)).isEmpty();
    }

    @Test
    void treatsABlankSecretAsMissing() {
        assertThat(Secrets.of(Map.of("VESPA_SECRET_KEY", " \n"), Optional.empty()).secret("key"))
                .isEmpty();
        assertThat(Secrets.NONE.secret("key")).isEmpty();
    }

    @Test
    void rejectsSecretsThatAreNotOneLineOfText() throws IOException {
        var secrets = Secrets.of(Map.of(), Optional.of(directory));
        Files.writeString(directory.resolve("lines"), "hidden1\nhidden2");
        Files.write(directory.resolve("bytes"), new byte[] {'h', 'i', 'd', (byte) 0xFF});
        Files.writeString(directory.resolve("large"), "h".repeat(Secrets.BYTES_MAX + 1));

        rejects(
                secrets,
                "lines",
                "secret 'lines' has a control character; expected one line of text");
        rejects(secrets, "bytes", "the file of secret 'bytes' is not UTF-8");
        rejects(secrets, "large", "the file of secret 'large' is larger than 65,536 bytes");
    }

    @Test
    void hidesItsSecrets() {
        assertThat(Secrets.of(Map.of("VESPA_SECRET_KEY", "hidden"), Optional.of(Path.of("d"))))
                .hasToString("Secrets[directory=d]");
    }

    private static void rejects(Secrets secrets, String name, String message) {
        assertThatExceptionOfType(UnreadableSecretException.class)
                .isThrownBy(() -> secrets.secret(name))
                .withMessage(message);
    }
}
