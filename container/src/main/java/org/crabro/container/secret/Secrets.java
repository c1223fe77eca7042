package org.crabro.container.secret;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The secrets that components of packages refer to by name. Safe for use by many threads. */
@FunctionalInterface
public interface Secrets {
    /** Returns the value of a secret; empty if there is none with this name. */
    Optional<String> secret(String name);

    /**
     * Returns the secrets in environment variables: {@code VESPA_SECRET_OPENAI_KEY} is the secret
     * {@code openai-key}.
     */
    static Secrets in(Map<String, String> environment) {
        return name ->
                Optional.ofNullable(
                                environment.get(
                                        "VESPA_SECRET_"
                                                + name.replaceAll("[^A-Za-z0-9]", "_")
                                                        .toUpperCase(Locale.ROOT)))
                        .filter(value -> !value.isBlank());
    }
}
