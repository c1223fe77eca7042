package org.crabro.ranking.expression;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;

/** Writes expressions as s-expressions, which show their structure. */
final class Trees {
    private Trees() {}

    static String of(Expression expression) {
        return switch (expression) {
            case Constant constant -> ExpressionText.of(constant);
            case Text(String value) -> "(text " + value + ")";
            case Feature feature -> feature.toString();
            case Unary(UnaryOperator operator, _) ->
                    list(operator == UnaryOperator.NOT ? "not" : "neg", expression.parts());
            case Binary(BinaryOperator operator, _, _) ->
                    list(operator.symbol(), expression.parts());
            case In _ -> list("in", expression.parts());
            case Call(ScalarFunction function, _) -> list(function.toString(), expression.parts());
            case If _ -> list("if", expression.parts());
            case Expression.Trees trees -> list(trees.written(), expression.parts());
            case Expression.Onnx onnx -> list(onnx.written(), expression.parts());
            case TensorExpression tensor -> ExpressionText.of(tensor);
        };
    }

    private static String list(String head, List<Expression> parts) {
        return parts.stream().map(Trees::of).collect(joining(" ", "(" + head + " ", ")"));
    }
}
