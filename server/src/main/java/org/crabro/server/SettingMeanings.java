package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** One sentence on each setting, for {@code crabro settings} and for the page on settings. */
public final class SettingMeanings {
    private static final String RESOURCE = "settings.properties";

    private final Map<String, String> meanings = new TreeMap<>();

    private SettingMeanings(Properties read) {
        read.forEach((name, meaning) -> meanings.put(name.toString(), meaning.toString()));
    }

    /** Reads the resource of this package. */
    public static SettingMeanings read() {
        var read = new Properties();
        try (InputStream bytes = SettingMeanings.class.getResourceAsStream(RESOURCE)) {
            if (bytes == null) {
                throw new IllegalStateException("the resource is missing: " + RESOURCE);
            }
            read.load(new InputStreamReader(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the resource cannot be read: " + RESOURCE, e);
        }
        return new SettingMeanings(read);
    }

    /** Returns the names that have a meaning. */
    public Set<String> names() {
        return Set.copyOf(meanings.keySet());
    }

    /** Returns the sentence on a setting. */
    public String of(String name) {
        return meanings.getOrDefault(name, "");
    }
}
