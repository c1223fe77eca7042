package org.crabro.perf.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The options of a benchmark.
 *
 * @param words the name of the benchmark and its parts
 * @param other the root of another build to compare with
 * @param rounds of the comparison, each with new processes, 1 or more
 * @param isOnRequest whether rounds are measured on request, see {@link RoundsOnRequest}
 */
public record PerfOptions(
        List<String> words, Optional<Path> other, int rounds, boolean isOnRequest) {
    private static final int ROUNDS = 11;

    /**
     * Reads the arguments.
     *
     * @param arguments at least one, the name first
     * @throws IllegalArgumentException if an option is unknown or has no valid value
     */
    public static PerfOptions of(List<String> arguments) {
        var words = new ArrayList<String>();
        Optional<Path> other = Optional.empty();
        int rounds = ROUNDS;
        boolean isOnRequest = false;
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String word = left.next();
            switch (word) {
                case RoundsOnRequest.OPTION -> isOnRequest = true;
                case "--against" -> other = Optional.of(Path.of(value(word, left)));
                case "--rounds" -> rounds = count(word, value(word, left));
                default -> words.add(plain(word));
            }
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException("the name of a benchmark is missing");
        }
        return new PerfOptions(List.copyOf(words), other, rounds, isOnRequest);
    }

    private static String value(String option, Iterator<String> left) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.next();
    }

    private static int count(String option, String value) {
        try {
            int count = Integer.parseInt(value);
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " needs a number, not '" + value + "'");
        }
        throw new IllegalArgumentException(option + " needs a number above 0, not " + value);
    }

    private static String plain(String word) {
        if (word.startsWith("--")) {
            throw new IllegalArgumentException("unknown option " + word);
        }
        return word;
    }
}
