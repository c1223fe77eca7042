package org.crabro.config.application;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A package that is written down in a test. */
public final class MapFiles implements ApplicationFiles {
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
        return texts.containsKey(path) ? Optional.of(Path.of("/package", path)) : Optional.empty();
    }
}
