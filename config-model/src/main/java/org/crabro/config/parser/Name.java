package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;

/** A word of a file with its place. */
public record Name(SourcePosition at, String text) {
    /** Returns the first of {@code names} with this text. */
    public static Optional<Name> find(List<Name> names, String text) {
        return names.stream().filter(name -> name.text.equals(text)).findFirst();
    }
}
