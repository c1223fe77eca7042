package org.crabro.container.secret;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secrets of an operator, by name. A secret is the value of an environment variable, or the
 * content of a file in a directory of secrets. The variable comes first.
 *
 * <p>The variable of {@code openai-api-key} and {@code openaiApiKey} is {@code
 * VESPA_SECRET_OPENAI_API_KEY}. The file has the name of the secret itself. It is read at each
 * call, so that a changed secret needs no restart. Thread-safe.
 */
public final class Secrets {
    /** No secrets. */
    public static final Secrets NONE = new Secrets(Map.of(), Optional.empty());

    /** The size limit of a secret in bytes. */
    public static final int BYTES_MAX = 1 << 16;

    private static final String PREFIX = "VESPA_SECRET_";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}");
    private static final Pattern NEXT_WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    private final Map<String, String> environment;
    private final Optional<Path> directory;

    private Secrets(Map<String, String> environment, Optional<Path> directory) {
        this.environment = Map.copyOf(environment);
        this.directory = directory;
    }

    /**
     * Returns the secrets of an environment and a directory.
     *
     * @param environment the environment variables of the process
     * @param directory with a file for each secret; it may be created later
     */
    public static Secrets of(Map<String, String> environment, Optional<Path> directory) {
        return new Secrets(environment, directory);
    }

    /**
     * Returns the secret {@code name}, without blanks and line ends around it; empty if there is
     * none, or it is blank.
     *
     * @throws UnreadableSecretException if its file cannot be read, is larger than {@value
     *     #BYTES_MAX} bytes, or the secret has control characters
     */
    public Optional<String> secret(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(environment.get(variable(name)))
                .or(() -> directory.flatMap(each -> content(name, each.resolve(name))))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> requireText(name, text));
    }

    /** Returns the environment variable of the secret {@code name}. */
    public static String variable(String name) {
        return PREFIX
                + NEXT_WORD
                        .matcher(name)
                        .replaceAll("_")
                        .replaceAll("[^A-Za-z0-9]", "_")
                        .toUpperCase(Locale.ROOT);
    }

    private static Optional<String> content(String name, Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new UnreadableSecretException(
                        "the file of secret '%s' is larger than %,d bytes"
                                .formatted(name, BYTES_MAX));
            }
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new UnreadableSecretException(
                    "the file of secret '%s' is not UTF-8".formatted(name), e);
        } catch (IOException e) {
            throw new UnreadableSecretException(
                    "the file of secret '%s' cannot be read: %s".formatted(name, e.getMessage()),
                    e);
        }
    }

    /** A control character could end the header of a request. */
    private static String requireText(String name, String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new UnreadableSecretException(
                    "secret '%s' has a control character; expected one line of text"
                            .formatted(name));
        }
        return text;
    }

    @Override
    public String toString() {
        return "Secrets[directory=%s]".formatted(directory.map(Path::toString).orElse("none"));
    }
}
