package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.crabro.ranking.onnx.TextRuns.Together;
import org.junit.jupiter.api.Test;

/** With models of one value per token. */
class TextRunsTest {
    private static final List<TextRow> EQUAL = List.of(row(3, 7), row(3, 5));
    private static final List<TextRow> UNEQUAL = List.of(row(2, 7), row(3, 5));

    @Test
    void runsTextsTogetherIfTheResultsAreThoseOfSingleRuns() {
        var runs = new TextRuns(texts -> outputs(texts, 0), "exact", false);

        repeat(runs, UNEQUAL);

        assertThat(runs.together()).isEqualTo(Together.ALL);
    }

    @Test
    void acceptsTheRoundingOfFloats() {
        var runs = new TextRuns(texts -> outputs(texts, texts.size() * 1e-6f), "rounded", false);

        repeat(runs, UNEQUAL);

        assertThat(runs.together()).isEqualTo(Together.ALL);
    }

    @Test
    void runsTextsOfEqualLengthTogetherIfPaddingChangesResults() {
        Function<List<TextRow>, List<OnnxModel.Output>> model =
                texts -> outputs(texts, isPadded(texts) ? 0.01f : 0);
        var runs = new TextRuns(model, "padding", false);

        assertSingleResults(runs, model, UNEQUAL);
        assertThat(runs.together()).isEqualTo(Together.OF_EQUAL_LENGTH);
        repeat(runs, EQUAL);
        assertThat(runs.together()).isEqualTo(Together.OF_EQUAL_LENGTH);
    }

    @Test
    void runsTextsAloneIfOtherTextsChangeResults() {
        Function<List<TextRow>, List<OnnxModel.Output>> model =
                texts -> outputs(texts, texts.size() * 0.01f);
        var runs = new TextRuns(model, "others", false);

        assertSingleResults(runs, model, UNEQUAL);
        assertThat(runs.together()).isEqualTo(Together.OF_EQUAL_LENGTH);
        assertSingleResults(runs, model, EQUAL);
        assertThat(runs.together()).isEqualTo(Together.NEVER);
    }

    @Test
    void runsTextsAloneIfTheModelTakesOne() {
        Function<List<TextRow>, List<OnnxModel.Output>> model =
                texts -> {
                    if (texts.size() > 1) {
                        throw new IllegalStateException("one row only");
                    }
                    return outputs(texts, 0);
                };
        var runs = new TextRuns(model, "single", false);

        assertSingleResults(runs, model, EQUAL);
        assertThat(runs.together()).isEqualTo(Together.NEVER);
        assertThat(new TextRuns(model, "declared", true).together()).isEqualTo(Together.NEVER);
    }

    private static boolean isPadded(List<TextRow> texts) {
        return texts.stream().map(TextRow::length).distinct().count() > 1;
    }

    private static void repeat(TextRuns runs, List<TextRow> texts) {
        for (int i = 0; i < 10; i++) {
            runs.run(texts);
        }
    }

    private static void assertSingleResults(
            TextRuns runs,
            Function<List<TextRow>, List<OnnxModel.Output>> model,
            List<TextRow> texts) {
        List<OnnxModel.Output> outputs = runs.run(texts);

        assertThat(outputs)
                .isEqualTo(
                        texts.stream().map(text -> model.apply(List.of(text)).getFirst()).toList());
    }

    /** Returns the numbers of the tokens plus {@code error}. */
    private static List<OnnxModel.Output> outputs(List<TextRow> texts, float error) {
        int length = texts.stream().mapToInt(TextRow::length).max().orElse(0);
        var values = FloatBuffer.allocate(texts.size() * length);
        for (int i = 0; i < texts.size(); i++) {
            for (int token = 0; token < texts.get(i).length(); token++) {
                values.put(i * length + token, (float) texts.get(i).ids()[token] + error);
            }
        }
        var all = new OnnxModel.Output(values, 3, 1);
        return texts.stream().map(text -> all.row(texts.indexOf(text), texts.size())).toList();
    }

    private static TextRow row(int length, long token) {
        long[] ids = new long[length];
        long[] mask = new long[length];
        Arrays.fill(ids, token);
        Arrays.fill(mask, 1);
        return new TextRow(ids, mask, new long[length]);
    }
}
