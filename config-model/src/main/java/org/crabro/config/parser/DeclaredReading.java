package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchWord;
import org.crabro.config.schema.WordReading;

/**
 * The settings of a field or a field set for the simple query language.
 *
 * @param terminator the value of {@code exact-terminator}
 * @param commands the values of {@code query-command}, in order
 */
public record DeclaredReading(Optional<Name> terminator, List<String> commands) {
    private static final String CONSECUTIVE = "phrase-segmenting";
    private static final String EXACT = "exact";

    public DeclaredReading {
        commands = List.copyOf(commands);
    }

    /** Returns whether a value of {@code query-command} has an effect on queries. */
    static boolean isKnown(String command) {
        return command.equals(CONSECUTIVE) || isExact(command);
    }

    private static boolean isExact(String command) {
        return command.equals(EXACT) || command.startsWith(EXACT + " ");
    }

    /**
     * Returns how words are read. A command has precedence over {@code match}.
     *
     * @param match the words of {@code match}, in order
     */
    public WordReading reading(List<MatchDeclaration> match) {
        Optional<String> commanded =
                commands.stream()
                        .filter(DeclaredReading::isExact)
                        .reduce((_, last) -> last)
                        .map(command -> command.substring(EXACT.length()).strip());
        Optional<String> matched =
                isExact(match)
                        ? Optional.of(
                                terminator
                                        .map(Name::text)
                                        .filter(text -> !text.isEmpty())
                                        .orElse(WordReading.TERMINATOR))
                        : Optional.empty();
        return new WordReading(commands.contains(CONSECUTIVE), commanded.or(() -> matched));
    }

    /** Returns whether the last word of {@code match} for the unit is {@code exact}. */
    public static boolean isExact(List<MatchDeclaration> match) {
        return match.stream()
                .map(MatchDeclaration::word)
                .filter(word -> word.part() == MatchWord.Part.UNIT)
                .reduce((_, last) -> last)
                .filter(word -> word == MatchWord.EXACT)
                .isPresent();
    }
}
