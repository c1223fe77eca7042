package org.crabro.config.application;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A package whose files a test contains as texts. For a binary file, such as a model, the text is
 * {@code from:} and a path relative to the module's directory.
 */
public final class MapFiles implements ApplicationFiles {
    private static final String FROM = "from:";

    private final Map<String, String> texts;

    public MapFiles(Map<String, String> texts) {
        this.texts = new TreeMap<>(texts);
    }

    @Override
    public SortedSet<String> paths() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(texts.keySet()));
    }

    @Override
    public Optional<String> text(String path) {
        return Optional.ofNullable(texts.get(path));
    }

    @Override
    public Optional<Path> location(String path) {
        return Optional.ofNullable(texts.get(path))
                .map(text ->
                        text.startsWith(FROM)
                                ? Path.of(text.substring(FROM.length()).strip())
                                : Path.of("/package", path));
    }
}
