package org.crabro.client.imports;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Counts the words of the first records, to find one that is worth a search. Lines with the form of
 * headers of mails, addresses and links are no words. Not thread-safe.
 */
final class CommonWords {
    private static final int MOST_TEXTS = 2_000;
    private static final int MOST_LETTERS = 2_000;
    private static final int SHORTEST = 5;
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}]+");

    /** A name and a colon at the start of a line, also of a quoted one. */
    private static final Pattern HEADER =
            Pattern.compile("(?m)^[> \\t]*[a-z][a-z0-9-]{0,60}:.*(\\R[ \\t]+.*)*");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Characters of addresses, links and code. */
    private static final Pattern NO_PROSE = Pattern.compile("[@/\\\\=<>_]");

    private final Map<String, Member> members = new HashMap<>();

    /** The texts of a member. */
    private static final class Member {
        private final Map<String, Integer> counts = new HashMap<>();
        private int texts;
        private long letters;
    }

    void add(String name, String text) {
        Member member = members.computeIfAbsent(name, _ -> new Member());
        if (member.texts >= MOST_TEXTS) {
            return;
        }
        member.texts++;
        member.letters += text.length();
        String part = text.substring(0, Math.min(text.length(), MOST_LETTERS));
        String prose = HEADER.matcher(part.toLowerCase(Locale.ROOT)).replaceAll(" ");
        BLANKS.splitAsStream(prose)
                .filter(run -> !NO_PROSE.matcher(run).find())
                .flatMap(NO_WORD::splitAsStream)
                .filter(word -> word.length() >= SHORTEST && !StopWords.contains(word))
                .distinct()
                .forEach(word -> member.counts.merge(word, 1, Integer::sum));
    }

    /** Returns the word that most texts of the longest searched field have. */
    Optional<String> best(List<GuessedField> fields) {
        return fields.stream()
                .filter(field -> field.type() instanceof GuessedType.Text)
                .map(field -> members.getOrDefault(field.source(), new Member()))
                .filter(member -> !member.counts.isEmpty())
                .max(Comparator.comparingLong(member -> member.letters))
                .flatMap(CommonWords::mostFrequent);
    }

    private static Optional<String> mostFrequent(Member member) {
        return member.counts.entrySet().stream()
                .max(
                        Map.Entry.<String, Integer>comparingByValue()
                                .thenComparing(
                                        Map.Entry.<String, Integer>comparingByKey().reversed()))
                .map(Map.Entry::getKey);
    }
}
