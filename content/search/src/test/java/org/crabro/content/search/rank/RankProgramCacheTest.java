package org.crabro.content.search.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.rank.RankProgramCache.Compiled;
import org.crabro.document.DocumentType;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.program.RankProgram;
import org.junit.jupiter.api.Test;

class RankProgramCacheTest {
    private final RankProgramCache programs = new RankProgramCache();
    private final List<Expression> compiled = new ArrayList<>();

    @Test
    void compilesAnExpressionOnceForASchema() {
        Schema schema = schema();
        Expression expression = ExpressionParser.parse("1 + bm25(title)");

        Compiled first = programs.of(schema).get(expression, this::compile).orElseThrow();
        Compiled second = programs.of(schema).get(expression, this::compile).orElseThrow();

        assertThat(second).isSameAs(first);
        assertThat(compiled).hasSize(1);
    }

    @Test
    void leavesToEachQueryWhatReadsItsValues() {
        Expression expression = ExpressionParser.parse("1 + query(boost)");

        assertThat(programs.of(schema()).get(expression, this::compile)).isEmpty();
        assertThat(compiled).isEmpty();
    }

    @Test
    void startsAnewWithANewGenerationOfASchema() {
        Expression expression = ExpressionParser.parse("1 + bm25(title)");

        Compiled before = programs.of(schema()).get(expression, this::compile).orElseThrow();
        Compiled after = programs.of(schema()).get(expression, this::compile).orElseThrow();

        assertThat(after).isNotSameAs(before);
        assertThat(compiled).hasSize(2);
    }

    private Compiled compile(Expression expression) {
        compiled.add(expression);
        return new Compiled(RankProgram.compile(expression), List.of());
    }

    private static Schema schema() {
        return new Schema("mail", new DocumentType("mail", List.of()), Map.of());
    }
}
