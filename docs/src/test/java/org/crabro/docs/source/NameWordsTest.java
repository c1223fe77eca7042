package org.crabro.docs.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.docs.ResourceLines;
import org.crabro.docs.SourceTree;
import org.crabro.docs.source.NameWords.Use;
import org.junit.jupiter.api.Test;

/**
 * Words of {@link NameWords} in names become fewer. The file {@code words-of-names.txt} has the
 * number of names for each word, and CONTRIBUTING.md what to write instead.
 */
class NameWordsTest {
    private static final String LIST = "words-of-names.txt";
    private static final String PATH = "content/search/src/main/java/org/crabro/content/A.java";

    @Test
    void countsOnlyFall() throws IOException {
        List<Use> uses = NameWords.uses(SourceTree.ofRepository());
        List<String> counts = NameWords.counts(uses);
        List<String> listed = ResourceLines.of(LIST);

        var differing = new ArrayList<>(counts);
        differing.removeAll(listed);
        List<Use> shown =
                uses.stream()
                        .filter(use ->
                                differing.stream()
                                        .anyMatch(count -> count.startsWith(use.word() + " ")))
                        .toList();
        assertThat(counts)
                .as("%s: rename what is new, or lower the number. Names: %s", LIST, shown)
                .isEqualTo(listed);
    }

    @Test
    void countsTypesMethodsAndVariables() throws IOException {
        assertThat(
                        names(
                                """
                                record FoundRows(int kept) {
                                    private static int rest;

                                    void takesOne(int known) {
                                        for (int sought : new int[1]) {
                                            run(doze -> doze);
                                        }
                                    }

                                    record Goes() {}
                                }
                                """))
                .containsExactly(
                        "found FoundRows 1",
                        "kept kept 1",
                        "rest rest 2",
                        "takes takesOne 4",
                        "known known 4",
                        "sought sought 5",
                        "doze doze 6",
                        "Goes Goes 10");
    }

    @Test
    void countsMethodsByTheirFirstWords() throws IOException {
        assertThat(
                        names(
                                """
                                class A {
                                    void tellsAll() {}
                                    void leave() {}
                                    void isNotForSale() {}
                                    void letGoOfIt() {}
                                    void foretells() {}
                                    void heTakesAll() {}
                                    int leave;
                                }
                                """))
                .containsExactly(
                        "tells tellsAll 2",
                        "leave leave 3",
                        "isNotFor isNotForSale 4",
                        "letGo letGoOfIt 5");
    }

    @Test
    void ignoresStatementsConstantsAndLongerWords() throws IOException {
        assertThat(
                        names(
                                """
                                class A {
                                    static final int REST = 1;
                                    boolean isFound;
                                    boolean isLengthKnown;
                                    boolean areKnown() {
                                        return wasKept("rest");
                                    }
                                    int restart;
                                    int unknown;
                                    int ofREST;
                                }
                                """))
                .isEmpty();
    }

    private static List<String> names(String text) throws IOException {
        return NameWords.uses(SourceTree.of(Map.of(PATH, text))).stream()
                .map(use -> "%s %s %d".formatted(use.word(), use.name(), use.line()))
                .toList();
    }
}
