package org.crabro.ranking.forest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The categories of the training data of XGBoost; splits contain their numbers.
 *
 * <pre>
 *   categories := { "enc": [ feature, … ], … }
 *   feature    := { "offsets": [ n, … ], "values": [ byte of a text, … ] }
 *               | { "values": [ number, … ], … }
 * </pre>
 *
 * <p>There is one for each feature. If it has no values, or the file has no categories, the
 * training data contained the numbers themselves.
 */
final class XgboostCategories {
    private final ModelValues file;
    private final ToDoubleFunction<String> texts;
    private final List<double[]> ofFeatures = new ArrayList<>();

    /**
     * @param texts returns the number for a category that is a text
     */
    XgboostCategories(ModelValues file, ToDoubleFunction<String> texts) {
        this.file = file;
        this.texts = texts;
    }

    void read() {
        file.object(
                "the categories",
                member -> {
                    if (member.equals("enc")) {
                        file.array("the categories of features", this::feature);
                    } else {
                        file.skip();
                    }
                });
    }

    private static final class Read {
        private double[] offsets = {};
        private double[] values = {};
    }

    private void feature() {
        var read = new Read();
        file.object(
                "the categories of a feature",
                member -> {
                    switch (member) {
                        case "offsets" -> read.offsets = file.numbers("offsets");
                        case "values" -> read.values = file.numbers("values");
                        default -> file.skip();
                    }
                });
        ofFeatures.add(read.offsets.length == 0 ? read.values : numbers(read));
    }

    private double[] numbers(Read read) {
        var bytes = new byte[read.values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) read.values[i];
        }
        var numbers = new double[read.offsets.length - 1];
        for (int i = 0; i < numbers.length; i++) {
            double from = read.offsets[i];
            double to = read.offsets[i + 1];
            if (!(from >= 0 && from <= to && to <= bytes.length)) {
                throw file.problem(
                        "the offsets of categories are none of %d bytes".formatted(bytes.length));
            }
            numbers[i] = texts.applyAsDouble(text(bytes, (int) from, (int) to));
        }
        return numbers;
    }

    /** XGBoost 3.2 counts characters but saves that many bytes: "é" loses its second byte. */
    private String text(byte[] bytes, int from, int to) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
        } catch (CharacterCodingException _) {
            throw file.problem(
                    "the categories of a feature are not UTF-8, as where XGBoost saved texts beyond"
                            + " ASCII: train with numbers for them");
        }
    }

    /**
     * Returns the values that the input of a category split is compared with.
     *
     * @param feature the index in XGBoost
     */
    List<Double> values(int feature, List<Double> numbers) {
        double[] categories = feature < ofFeatures.size() ? ofFeatures.get(feature) : new double[0];
        return categories.length == 0
                ? numbers
                : numbers.stream().map(number -> value(feature, categories, number)).toList();
    }

    private double value(int feature, double[] categories, double number) {
        if (!(number >= 0 && number < categories.length)) {
            throw file.problem(
                    "a split names the category %.0f of feature %d, which has %d"
                            .formatted(number, feature, categories.length));
        }
        return categories[(int) number];
    }
}
