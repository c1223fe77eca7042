package org.crabro.client.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Completes the word before the cursor: fields, functions, types, rank profiles, commands. */
final class YqlCompletion {
    private static final Pattern LAST_WORD = Pattern.compile("[\\\\\\w.@]*$");
    private static final Pattern WORDS = Pattern.compile("[\\w.*]+|[(),!{}]|\"[^\"]*\"?|[<>=]+");
    private static final Pattern PROFILE =
            Pattern.compile("\\\\set\\s+ranking(\\.profile)?=(?<word>\\S*)$");
    private static final Pattern INPUT = Pattern.compile("\\\\set\\s+input\\.(?<word>\\S*)$");
    private static final Pattern SETTING = Pattern.compile("\\\\(un)?set\\s+(?<word>[\\w.]*)$");
    private static final Pattern TYPE = Pattern.compile("\\\\describe\\s+(?<word>\\w*)$");

    private static final List<String> OPERATORS = List.of("contains", "matches", "in");

    private static final List<String> FUNCTIONS =
            List.of(
                    "userInput(",
                    "userQuery()",
                    "nearestNeighbor(",
                    "range(",
                    "rank(",
                    "weakAnd(",
                    "nonEmpty(",
                    "weightedSet(",
                    "dotProduct(",
                    "wand(",
                    "geoLocation(",
                    "geoBoundingBox(",
                    "true",
                    "false");

    private static final List<String> VALUES =
            List.of(
                    "phrase(",
                    "near(",
                    "onear(",
                    "equiv(",
                    "alternatives(",
                    "fuzzy(",
                    "regex(",
                    "text(",
                    "sameElement(");

    private static final List<String> AFTER_CONDITION =
            List.of("and", "or", "order by", "limit", "offset", "timeout");

    private static final List<String> PARAMETERS =
            List.of(
                    "hits=",
                    "offset=",
                    "ranking=",
                    "input.",
                    "timeout=",
                    "sorting=",
                    "summary=",
                    "trace.level=");

    /** After these words, a condition begins. */
    private static final Set<String> BEFORE_CONDITION =
            Set.of("where", "and", "or", "(", ",", "!", "}");

    private final SchemaNames names;

    YqlCompletion(SchemaNames names) {
        this.names = names;
    }

    /**
     * Completions.
     *
     * @param word the part of the word before the cursor, which all of them begin with
     * @param candidates in alphabetical order
     */
    record Completions(String word, List<String> candidates) {
        Completions {
            candidates = List.copyOf(candidates);
        }
    }

    /**
     * Returns the completions at the end of a text.
     *
     * @param text the unfinished statement up to the cursor, with its earlier lines
     */
    Completions at(String text) {
        String statement = text.stripLeading();
        if (statement.startsWith("\\") && !statement.contains("select ")) {
            return ofCommand(statement);
        }
        Matcher last = LAST_WORD.matcher(statement);
        String word = last.find() ? last.group() : "";
        return completions(
                word, inQuery(statement.substring(0, statement.length() - word.length())));
    }

    private Completions ofCommand(String statement) {
        Matcher profile = PROFILE.matcher(statement);
        if (profile.find()) {
            return completions(profile.group("word"), names.profiles());
        }
        Matcher input = INPUT.matcher(statement);
        if (input.find()) {
            return completions(
                    input.group("word"), names.inputs().stream().map(each -> each + "=").toList());
        }
        Matcher setting = SETTING.matcher(statement);
        if (setting.find()) {
            return completions(setting.group("word"), PARAMETERS);
        }
        Matcher type = TYPE.matcher(statement);
        if (type.find()) {
            return completions(type.group("word"), List.copyOf(names.types().keySet()));
        }
        return completions(
                statement,
                PromptCommand.all().stream().map(command -> "\\" + command.word()).toList());
    }

    /** Returns what can follow the words of a query. */
    private List<String> inQuery(String before) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORDS.matcher(before);
        while (matcher.find()) {
            words.add(matcher.group().toLowerCase(Locale.ROOT));
        }
        if (words.isEmpty()) {
            return List.of("select");
        }
        String last = words.getLast();
        if (last.equals("select")) {
            return plus(names.fields(), List.of("*"));
        }
        if (last.equals("from") || last.equals("sources")) {
            return plus(
                    List.copyOf(names.types().keySet()),
                    List.of(last.equals("from") ? "sources" : "*"));
        }
        int where = words.indexOf("where");
        if (where < 0) {
            return words.contains("from")
                    ? List.of("where")
                    : last.equals(",") ? names.fields() : List.of("from");
        }
        if (last.equals("by")) {
            return names.fields();
        }
        if (last.equals("order")) {
            return List.of("by");
        }
        if (BEFORE_CONDITION.contains(last)) {
            return plus(names.fields(), FUNCTIONS);
        }
        if (last.equals("contains")) {
            return VALUES;
        }
        boolean isOrdered = words.lastIndexOf("by") > where;
        if (isOrdered) {
            return List.of("asc", "desc", "limit", "offset", "timeout");
        }
        boolean isField = names.fields().stream().anyMatch(field -> field.equalsIgnoreCase(last));
        return isField ? OPERATORS : AFTER_CONDITION;
    }

    private static List<String> plus(List<String> some, List<String> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static Completions completions(String word, List<String> possible) {
        return new Completions(
                word, possible.stream().filter(each -> each.startsWith(word)).sorted().toList());
    }
}
