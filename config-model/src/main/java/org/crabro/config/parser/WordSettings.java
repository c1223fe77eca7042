package org.crabro.config.parser;

import java.util.Optional;

/**
 * How the words of a field are made ready to be compared, where the field says it.
 *
 * @param stemming in small letters
 * @param searchProfile the linguistics profile for words of queries
 */
public record WordSettings(
        Optional<Name> stemming, Optional<Name> normalizing, Optional<Name> searchProfile) {}
