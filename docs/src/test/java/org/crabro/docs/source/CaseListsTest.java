package org.crabro.docs.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.crabro.docs.SourceTree;
import org.junit.jupiter.api.Test;

/** Switches list at most four types of ours that lead to the same code. */
class CaseListsTest {
    @Test
    void noListIsLong() throws IOException {
        assertThat(CaseLists.tooLong(SourceTree.ofRepository())).isEmpty();
    }

    @Test
    void findsAListOfFive() throws IOException {
        assertThat(longLists("case A _, B _, C _, D _, Shape.E(_) -> {}")).isEqualTo(1);
        assertThat(longLists("case A _, B _, C _, D _ -> {}")).isZero();
    }

    @Test
    void addsCasesWithTheSameCode() throws IOException {
        assertThat(longLists("case A _, B _ -> {} case C _, D _ -> {} case E _ -> {}"))
                .isEqualTo(1);
        assertThat(longLists("case A _, B _ -> {} case C _, D _ -> {} case E _ -> go();")).isZero();
    }

    @Test
    void ignoresCasesThatBindVariables() throws IOException {
        assertThat(
                        longLists(
                                "case A a -> go(); case B b -> go(); case C c -> go();"
                                        + " case D d -> go(); case E(var e) -> go();"))
                .isZero();
    }

    @Test
    void ignoresCasesWithAGuard() throws IOException {
        assertThat(longLists("case A _, B _, C _, D _, E _ when x > 1 -> {}")).isZero();
    }

    @Test
    void ignoresConstantsAndTypesOfOthers() throws IOException {
        assertThat(longLists("case 1, 2, 3, 4, 5 -> {}")).isZero();
        assertThat(longLists("case A _, B _, C _, D _, String _ -> {}")).isZero();
    }

    @Test
    void findsListsInExpressions() throws IOException {
        assertThat(
                        CaseLists.tooLong(
                                tree(
                                        "int x = switch (of) { case A _, B _, C _, D _, E _ -> 1; };")))
                .containsExactly("some/src/test/java/org/crabro/some/Some.java 1");
    }

    private static int longLists(String cases) throws IOException {
        return CaseLists.tooLong(tree("switch (of) { " + cases + " }")).size();
    }

    private static SourceTree tree(String statement) {
        return SourceTree.of(
                Map.of(
                        "some/src/test/java/org/crabro/some/Some.java",
                        "package org.crabro.some; class Some { record A() {} record B() {} record"
                                + " C() {} record D() {} record E(int e) {} void go() { "
                                + statement
                                + " } }"));
    }
}
