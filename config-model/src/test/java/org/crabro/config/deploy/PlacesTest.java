package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every problem of every package in the corpus is reported with its file, line and column, the line
 * of the file, and a caret below the position. Only problems without a position have none.
 */
class PlacesTest {
    private static final Pattern PLACE =
            Pattern.compile("([^:\n]+):([0-9]+):([0-9]+): (.+)", Pattern.DOTALL);

    /** A line that is shown, perhaps with its number. */
    private static final Pattern SHOWN = Pattern.compile(" {2}(?: *([0-9]+): ?)?(.*)");

    /** The problems of a package as a whole, or of the existence of a file. */
    private static final List<Pattern> WITHOUT =
            Stream.of(
                            "services\\.xml: missing in the root of the package.*",
                            "\\S+: this directory is not for packages; remove it",
                            "\\S+: schemas/\\S+\\.sd exists, too; remove one",
                            "processor/chains/\\S+: chains of own processors .*",
                            "components/\\S+\\.(jar|zip): .*",
                            "[0-9]+ more problems",
                            // A change has two positions: one in the active package.
                            "[a-z]+-[a-z-]+: .*; to allow it, add <allow .*")
                    .map(Pattern::compile)
                    .toList();

    /** How much of a long line is shown at each side of a place. */
    private static final int WIDTH = 100;

    @Test
    void everyProblemHasItsPlace() {
        var wrong = new ArrayList<String>();
        var unused = new TreeSet<>(WITHOUT.stream().map(Pattern::pattern).toList());
        int places = 0;
        for (CorpusFile.Case each :
                Stream.concat(CorpusTest.cases(), CorpusTest.changes()).toList()) {
            for (String problem : problems(each.problems())) {
                Matcher place = PLACE.matcher(problem);
                if (place.matches()) {
                    places++;
                    String why = wrong(place, each.files());
                    if (!why.isEmpty()) {
                        wrong.add(each.name() + ": " + why + ": " + problem);
                    }
                } else {
                    String first = problem.lines().findFirst().orElse("");
                    List<Pattern> of =
                            WITHOUT.stream().filter(p -> p.matcher(first).matches()).toList();
                    of.forEach(pattern -> unused.remove(pattern.pattern()));
                    if (of.isEmpty()) {
                        wrong.add(each.name() + ": no place: " + problem);
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(places).isGreaterThan(500);
        unused.remove("[0-9]+ more problems");
        assertThat(unused).isEmpty();
    }

    /** Splits messages; further lines of a problem are indented. */
    private static List<String> problems(String told) {
        return told.isEmpty() ? List.of() : List.of(told.split("\n(?! )", -1));
    }

    private static String wrong(Matcher place, Map<String, String> files) {
        String file = files.get(place.group(1));
        if (file == null) {
            return "no such file";
        }
        int line = Integer.parseInt(place.group(2));
        int column = Integer.parseInt(place.group(3));
        List<String> lines = file.lines().toList();
        if (line > lines.size()) {
            return "no such line";
        }
        String[] shown = place.group(4).split("\n", -1);
        String why = "no caret";
        for (int i = 1; i < shown.length && !why.isEmpty(); i++) {
            if (shown[i].strip().equals("^")) {
                why = wrong(shown[i - 1], shown[i].indexOf('^'), lines.get(line - 1), line, column);
            }
        }
        return why;
    }

    /**
     * Returns why a line and its caret do not show a position; empty if they do.
     *
     * @param caret the number of characters before it
     * @param text of the line in the file
     */
    private static String wrong(String shown, int caret, String text, int line, int column) {
        Matcher form = SHOWN.matcher(shown);
        if (!form.matches()) {
            return "no line above the caret";
        }
        boolean isNumbered = form.group(1) != null && form.group(1).equals(Integer.toString(line));
        String suffix = isNumbered ? form.group(2) : shown.substring(2);
        int start = isNumbered ? shown.indexOf(':') + 2 : 2;
        if (suffix.stripTrailing().equals(text.stripTrailing())) {
            return caret - start + 1 == column ? "" : "the caret is at " + (caret - start + 1);
        }
        // Of a long line a part is shown.
        boolean isPart = text.length() > 2 * WIDTH && text.contains(suffix.strip());
        return isPart ? "" : "another line: '" + suffix + "'";
    }
}
