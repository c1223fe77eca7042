package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.All;
import org.crabro.protocol.query.QueryNode.And;
import org.crabro.protocol.query.QueryNode.Equiv;
import org.crabro.protocol.query.QueryNode.Or;
import org.crabro.protocol.query.QueryNode.Rank;
import org.crabro.protocol.query.QueryNode.Term;
import org.crabro.protocol.query.QueryNode.WeakAnd;
import org.crabro.protocol.query.QueryNode.Without;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TypeConditionsTest {
    private static final QueryNode BOOK = type("book");
    private static final QueryNode OTHER = type("Book");
    private static final QueryNode A = new Term("default", "a", TermSettings.DEFAULT);
    private static final QueryNode B = new Term("default", "b", TermSettings.DEFAULT);

    private record Case(QueryNode tree, String decided) {}

    @TestFactory
    List<DynamicTest> decidesConditionsOnTheTypeBeforeMatching() {
        return List.of(
                        new Case(BOOK, "true"),
                        new Case(OTHER, "false"),
                        new Case(A, "default:a"),
                        new Case(new All(), "true"),
                        new Case(and(BOOK, A, B), "(and default:a default:b)"),
                        new Case(and(BOOK, A), "default:a"),
                        new Case(and(BOOK), "true"),
                        new Case(and(OTHER, A), "false"),
                        new Case(new Or(List.of(BOOK, A)), "true"),
                        new Case(new Or(List.of(OTHER, A, B)), "(or default:a default:b)"),
                        new Case(new Or(List.of(OTHER, A)), "default:a"),
                        new Case(new Or(List.of(OTHER, OTHER)), "false"),
                        new Case(new Equiv(List.of(BOOK, A)), "true"),
                        new Case(new Equiv(List.of(OTHER, A, B)), "(equiv default:a default:b)"),
                        new Case(weakAnd(BOOK, A), "default:a"),
                        new Case(weakAnd(OTHER, A, B), "(weakand default:a default:b)"),
                        new Case(weakAnd(BOOK, OTHER), "true"),
                        new Case(weakAnd(OTHER), "false"),
                        new Case(weakAnd(and(BOOK, A), B), "(weakand default:a default:b)"),
                        new Case(weakAnd(and(OTHER, A), B), "default:b"),
                        new Case(without(A, BOOK), "false"),
                        new Case(without(A, OTHER), "default:a"),
                        new Case(without(A, OTHER, B), "(without default:a default:b)"),
                        new Case(without(BOOK, B), "(without true default:b)"),
                        new Case(without(OTHER, B), "false"),
                        new Case(without(new All(), OTHER), "true"),
                        new Case(weakAnd(without(new All(), OTHER), A), "default:a"),
                        new Case(new Rank(A, List.of(BOOK, B)), "(rank default:a default:b)"),
                        new Case(new Rank(A, List.of(BOOK)), "default:a"),
                        new Case(new Rank(BOOK, List.of(A)), "(rank true default:a)"),
                        new Case(new Rank(OTHER, List.of(A)), "false"))
                .stream()
                .map(each ->
                        DynamicTest.dynamicTest(
                                QueryText.of(each.tree),
                                () ->
                                        assertThat(
                                                        QueryText.of(
                                                                TypeConditions.decided(
                                                                        each.tree, "book")))
                                                .isEqualTo(each.decided)))
                .toList();
    }

    private static QueryNode type(String name) {
        return new Term(Term.DOCUMENT_TYPE, name, TermSettings.DEFAULT);
    }

    private static QueryNode and(QueryNode... children) {
        return new And(List.of(children));
    }

    private static QueryNode weakAnd(QueryNode... children) {
        return new WeakAnd(List.of(children));
    }

    private static QueryNode without(QueryNode include, QueryNode... exclude) {
        return new Without(include, List.of(exclude));
    }
}
