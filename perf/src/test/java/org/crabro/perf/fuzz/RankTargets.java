package org.crabro.perf.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.forest.ForestLimits;
import org.crabro.ranking.forest.ForestReader;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelSignature;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.significance.InvalidSignificanceException;
import org.crabro.ranking.significance.SignificanceReader;

/** Rank expressions, and the files of models. */
final class RankTargets {
    private static final String FORESTS = "ranking/src/test/resources/org/crabro/ranking/forest";
    private static final String MODELS = "ranking/src/test/resources/org/crabro/ranking/onnx";
    private static final ForestLimits LIMITS = new ForestLimits(1 << 20, 10_000, 250);

    /** A few letters of an expression may be a tensor of millions of zeros. */
    private static final int WRITTEN_MAX = 100_000;

    private RankTargets() {}

    static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText(
                        "rank-expressions",
                        RankTargets::expression,
                        ExpressionSyntaxException.class),
                FuzzTarget.ofBytes(
                        "xgboost-json",
                        json ->
                                ForestReader.xgboost(
                                        new ByteArrayInputStream(json), LIMITS, StringValue::of),
                        InvalidForestException.class),
                FuzzTarget.ofBytes(
                                "xgboost-models",
                                ubj ->
                                        ForestReader.xgboostModel(
                                                new ByteArrayInputStream(ubj),
                                                LIMITS,
                                                StringValue::of),
                                InvalidForestException.class)
                        .withSeeds(GoldenFiles.read(FORESTS, "xgboost-binary-logitraw.ubj")),
                FuzzTarget.ofBytes(
                        "lightgbm-json",
                        json ->
                                ForestReader.lightgbm(
                                        new ByteArrayInputStream(json), LIMITS, StringValue::of),
                        InvalidForestException.class),
                FuzzTarget.ofBytes(
                        "significance-models",
                        json -> SignificanceReader.read(new ByteArrayInputStream(json)),
                        InvalidSignificanceException.class),
                FuzzTarget.ofBytes("onnx-models", RankTargets::onnx, InvalidModelException.class)
                        .withSeeds(GoldenFiles.read(MODELS, "{pair,lookup,external,unsaid}.onnx"))
                        .slow());
    }

    /** Checks that a parsed expression is written as text that parses to the same. */
    private static void expression(String text) {
        Expression expression = ExpressionParser.parse(text);
        String written = ExpressionText.of(expression);
        if (written.length() > WRITTEN_MAX) {
            return;
        }
        String again = ExpressionText.of(ExpressionParser.parse(written));
        if (!written.equals(again)) {
            throw new AssertionError(written + " reads back as " + again);
        }
    }

    private static void onnx(byte[] model) throws IOException {
        Path file = Files.createTempFile("fuzz", ".onnx");
        try {
            Files.write(file, model);
            ModelSignature.read(file);
        } finally {
            Files.delete(file);
        }
    }
}
