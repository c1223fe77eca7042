package org.crabro.config.parser;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the words of a field are made ready to be compared, where the field says it.
 *
 * @param stemming in small letters
 * @param searchProfile the linguistics profile for words of queries
 * @param gramSize how many characters the grams have
 * @param maxLength how many bytes of an element are looked at
 */
public record WordSettings(
        Optional<Name> stemming,
        Optional<Name> normalizing,
        Optional<Name> searchProfile,
        OptionalInt gramSize,
        OptionalInt maxLength) {}
