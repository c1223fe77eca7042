package org.crabro.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalNumbersTest {
    private static final TensorType ONE = TensorType.parse("tensor(x[1])");
    private static final String[] SIGNS = {"", "", "-", "+"};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "-0.0",
                "+.5",
                "7.",
                "1e23",
                "-1E+22",
                "9007199254740993",
                "9007199254740993e-1",
                "0.1234567890123456789",
                "9223372036854775808",
                "9999999999999999999",
                "18446744073709551616",
                "184467440737095516160",
                "36893488147419103232e3",
                "0.00000000000000000000000000000000000001",
                "2.2250738585072011e-308",
                "4.9e-324",
                "2e-324",
                "1.7976931348623157e308",
                "1.8e308",
                "0e99999",
                "1e-99999",
                "0000000000000000000000000000012.5"
            })
    void readsTheNearestDouble(String number) {
        assertThat(read(number)).isEqualTo(Double.parseDouble(number));
    }

    @Test
    void readsAnyDoubleAndAnyDigitsAsTheLibraryDoes() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 200_000; round++) {
            String number = SIGNS[random.nextInt(SIGNS.length)] + number(random);

            assertThat(read(number))
                    .as("%s, seed %d", number, seed)
                    .isEqualTo(Double.parseDouble(number));
            // If more characters follow, several digits are read at a time.
            assertThat(read(number + " ".repeat(20)))
                    .as("%s and more, seed %d", number, seed)
                    .isEqualTo(Double.parseDouble(number));
        }
    }

    @Test
    void decidesAlwaysButInTheMiddleOfTwo() {
        assertThat(DecimalNumbers.nearest(12_345, -4)).isEqualTo(1.2345);
        assertThat(DecimalNumbers.nearest(1_234_567_890_123_456_789L, -19))
                .isEqualTo(Double.parseDouble("0.1234567890123456789"));
        // Of 19 digits; as a number with a sign it is below 0.
        assertThat(DecimalNumbers.nearest(Long.parseUnsignedLong("9999999999999999999"), 0))
                .isEqualTo(1e19);
        assertThat(DecimalNumbers.nearest(1, 400)).isNaN();
    }

    private static String number(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Float.toString(random.nextFloat());
            case 1 -> Double.toString(random.nextDouble());
            case 2 -> Double.toString(Math.abs(anyDouble(random)));
            case 3 ->
                    digits(random, 1 + random.nextInt(22))
                            + "."
                            + digits(random, random.nextInt(22));
            default ->
                    digits(random, random.nextInt(4))
                            + "."
                            + digits(random, 1 + random.nextInt(19))
                            + "eE".charAt(random.nextInt(2))
                            + (random.nextInt(700) - 350);
        };
    }

    private static double anyDouble(Random random) {
        double any = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(any) ? any : 0;
    }

    private static String digits(Random random, int count) {
        var digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(4) == 0 ? 0 : random.nextInt(10));
        }
        return digits.toString();
    }

    /** Reads a number that is surrounded by other characters. */
    private static double read(String number) {
        DenseTensor tensor = DenseTensor.parse("[ " + number + " ]", ONE);
        assertThat(DenseTensor.parse(number).cell(0)).isEqualTo(tensor.cell(0));
        return tensor.cell(0);
    }
}
