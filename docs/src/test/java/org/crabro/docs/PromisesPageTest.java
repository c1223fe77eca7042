package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each promise of the page has tests, and they are there. */
class PromisesPageTest {
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))\\.(\\w+)`");

    @Test
    void everyPromiseHasTestsThatAreThere() throws IOException {
        SourceTree tree = SourceTree.ofRepository();
        List<String> promises =
                tree.text("docs/promises.md")
                        .lines()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| promise "))
                        .toList();
        var missing = new ArrayList<String>();
        for (String promise : promises) {
            Matcher named = NAMED.matcher(promise);
            assertThat(named.results().count()).as(promise).isPositive();
            named.reset();
            while (named.find()) {
                if (!hasTest(tree, named.group(1), named.group(2))) {
                    missing.add(named.group());
                }
            }
        }

        assertThat(promises).hasSizeGreaterThan(30);
        assertThat(missing).isEmpty();
    }

    private static boolean hasTest(SourceTree tree, String type, String method) {
        Pattern declared =
                Pattern.compile(
                        "@(?:Test|ParameterizedTest)\\b(?:(?!\\bvoid ).)*+void %s\\("
                                .formatted(Pattern.quote(method)),
                        Pattern.DOTALL);
        return tree.texts().entrySet().stream()
                .filter(file -> file.getKey().endsWith("/" + type + ".java"))
                .map(Map.Entry::getValue)
                .anyMatch(text -> declared.matcher(text).find());
    }
}
