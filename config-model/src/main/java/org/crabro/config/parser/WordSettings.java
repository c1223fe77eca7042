package org.crabro.config.parser;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a field normalizes its words for matching; empty settings are not declared.
 *
 * @param stemming in small letters
 * @param searchProfile the linguistics profile for words of queries
 * @param gramSize the length of grams in characters
 * @param maxLength the number of bytes of an element that are searched
 * @param reading how the simple query language reads words
 */
public record WordSettings(
        Optional<Name> stemming,
        Optional<Name> normalizing,
        Optional<Name> searchProfile,
        OptionalInt gramSize,
        OptionalInt maxLength,
        DeclaredReading reading) {}
