package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
    private static final int ROUNDS = 200_000;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @Test
    void readsNumbersAsTheNearestDoubleAndFloat() {
        for (int round = 0; round < ROUNDS; round++) {
            String text = number(round % 8);
            // Alone, and followed by more bytes: words of eight bytes are read differently.
            String line = text + (random.nextBoolean() ? "," : "],\"x\":[123456789,0.25,1e5]}");
            var json = new JsonScanner();
            byte[] bytes = line.getBytes(US_ASCII);
            json.open(bytes, 0, bytes.length);
            double expected = Double.parseDouble(text);
            double read = json.number();
            assertThat(Double.doubleToRawLongBits(read))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(Double.doubleToRawLongBits(expected));
            assertThat((float) read).isEqualTo((float) expected);
            assertThat(json.at()).as(text).isEqualTo(text.length());
        }
    }

    private String number(int form) {
        return switch (form) {
            case 0 -> Float.toString((float) random.nextGaussian() / 16);
            case 1 -> Double.toString(random.nextGaussian());
            case 2 -> Float.toString(Float.intBitsToFloat(random.nextInt() & 0xbfff_ffff));
            case 3 -> Integer.toString(random.nextInt());
            case 4 -> sign() + digits(1) + '.' + digits(1 + random.nextInt(20));
            case 5 ->
                    sign() + "0." + "0".repeat(random.nextInt(17)) + digits(1 + random.nextInt(9));
            case 6 -> sign() + (1 + random.nextInt(99)) + '.' + digits(1 + random.nextInt(17));
            default ->
                    sign()
                            + digits(1)
                            + '.'
                            + digits(1 + random.nextInt(16))
                            + (random.nextBoolean() ? "E" : "e-")
                            + random.nextInt(20);
        };
    }

    private String sign() {
        return random.nextBoolean() ? "-" : "";
    }

    private String digits(int count) {
        return String.format(Locale.ROOT, "%0" + count + "d", 0)
                .chars()
                .map(_ -> '0' + random.nextInt(10))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** As of whole numbers, which these are; as floats they are read from their text. */
    @Test
    void dropsTheSignOfAnIntegralZeroExceptForFloats() {
        byte[] bytes = "-0 -0 -0.0 ".getBytes(US_ASCII);
        var json = new JsonScanner();
        json.open(bytes, 0, bytes.length);

        assertThat(json.number()).isEqualTo(0.0);
        assertThat(json.anyFloat()).isEqualTo(-0.0f);
        assertThat(json.number()).isEqualTo(-0.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.",
                ".5",
                "-.5",
                "+1.5",
                "01.5",
                "1.5x",
                "1.12345678x",
                "1.1234567890123x",
                "--1.5",
                "1.e5",
                "1.5e",
                "1.5e+",
                "0x1.5",
                "1,5x",
                "-",
                "1.:",
                "1./",
                "9:.5",
                "1.5:5"
            })
    void leavesWhatIsNoNumberToTheOtherReader(String text) {
        for (String behind : new String[] {"", "x", "                        "}) {
            var json = new JsonScanner();
            byte[] bytes = (text + behind).getBytes(US_ASCII);
            json.open(bytes, 0, bytes.length);
            if (text.equals("1,5x")) {
                assertThat(json.number()).isEqualTo(1);
            } else {
                assertThatThrownBy(json::number)
                        .isInstanceOf(JsonScanner.UncommonFormException.class);
            }
        }
    }
}
