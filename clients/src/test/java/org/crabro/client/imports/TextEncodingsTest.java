package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of character sets, and texts without one. */
class TextEncodingsTest {
    /** Names of the standard that stand for no set of mails. */
    private static final Set<String> WITHOUT_SET =
            Set.of("hz-gb-2312", "iso-2022-cn-ext", "replacement", "x-user-defined");

    /** Returns the code points of the upper half of each label of the standard. */
    private static Map<String, String> labels() throws IOException {
        try (InputStream in = TextEncodings.class.getResourceAsStream("encodings.tsv")) {
            Map<String, String> labels = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .forEach(parts -> {
                        for (String label : parts[1].split(" ", -1)) {
                            labels.put(label, parts.length > 2 ? parts[2] : "");
                        }
                    });
            return labels;
        }
    }

    @Test
    void knowsEachNameOfTheStandard() throws IOException {
        var unknown = new TreeSet<String>();
        for (String label : labels().keySet()) {
            String other = "\t\"" + label.toUpperCase(Locale.ROOT) + "' ";
            if (TextEncodings.named(label).isEmpty()) {
                unknown.add(label);
            }
            assertThat(TextEncodings.named(other))
                    .describedAs(other)
                    .isEqualTo(TextEncodings.named(label));
        }

        assertThat(labels()).hasSize(228);
        assertThat(unknown).isSubsetOf(WITHOUT_SET);
    }

    /** Also names that the JDK takes for another set. */
    @Test
    void readsEachByteAsTheStandardSays() throws IOException {
        int bytes = 0;
        for (Map.Entry<String, String> each : labels().entrySet()) {
            String cells = each.getValue();
            for (int i = 0; i < cells.length() / 4; i++) {
                char expected = (char) HexFormat.fromHexDigits(cells, 4 * i, 4 * i + 4);
                byte[] text = {'a', (byte) (0x80 + i), 'z'};
                DecodedBytes decoded =
                        DecodedBytes.in(TextEncodings.named(each.getKey()).orElseThrow(), text);
                assertThat(decoded.text())
                        .describedAs("%s 0x%x", each.getKey(), 0x80 + i)
                        .isEqualTo("a" + expected + "z");
                assertThat(decoded.isExact()).isEqualTo(expected != '\ufffd');
                bytes++;
            }
        }
        assertThat(bytes).isGreaterThan(20_000);
    }

    /** Each name of each set of the JDK means what the standard says, if that has the name. */
    @Test
    void prefersTheStandardToTheJdk() throws IOException {
        Set<String> labels = labels().keySet();
        int others = 0;
        for (Charset set : Charset.availableCharsets().values()) {
            var names = new TreeSet<>(set.aliases());
            names.add(set.name());
            for (String name : names) {
                String canonical = set.name().toLowerCase(Locale.ROOT);
                if (labels.contains(canonical)
                        && !labels.contains(name.toLowerCase(Locale.ROOT))
                        && !WITHOUT_SET.contains(canonical)) {
                    assertThat(TextEncodings.named(name))
                            .describedAs("%s, of %s", name, canonical)
                            .isEqualTo(TextEncodings.named(canonical));
                    others++;
                }
                assertThat(TextEncodings.named(name)).describedAs(name).isPresent();
            }
        }
        assertThat(others).isGreaterThan(50);
    }

    @ParameterizedTest
    @CsvSource({
        // What the JDK has under another name, or not with these characters.
        "gb2312, e946, 镕",
        "euc-kr, 8c63, 똠",
        "ks_c_5601-1987, 8c63, 똠",
        "ks_c_5601, 8c63, 똠",
        "shift_jis, 8740, ①",
        "sjis, 8740, ①",
        "euc-jp, ada1, ①",
        "iso-2022-jp, 1b24422d211b2842, ①",
        "iso-2022-jp, 1b2849361b2842, ｶ",
        "big5, 8b5c, 胬",
        "big5-hkscs, 8b5c, 胬",
        "latin1, 8093, €“",
        "iso-8859-9, 80, €",
        "iso-8859-11, 80, €",
        "iso-8859-10, bf, ŋ",
        "iso-8859-14, f0, ŵ",
        "utf-16, 6100, a",
        "unicode, 6100, a",
        "unicodefffe, 0061, a",
        "ibm850, 81, ü",
        "646, 61, a",
        "iso646-us, c3bc, ü",
        "ansi, 80, €",
        "utf8mb4, c3bc, ü",
        "x-user-defined, c3bc, ü",
        "nonsense name, c3bc, ü",
        "nonsense, fc, ü",
        "'', fc, ü",
        "us-ascii, c3bc, ü",
        "us-ascii, fc, ü",
        "us-ascii, efbbbf61, a",
        "latin1, efbbbf61, a",
        "utf-8, fffe6100, a",
        "utf-8, feff0061, a"
    })
    void readsBytesAsBrowsersDo(String name, String hex, String text) {
        assertThat(DecodedBytes.of(HexFormat.of().parseHex(hex), name))
                .isEqualTo(new DecodedBytes(text, true));
    }

    @Test
    void textWithoutASetIsUtf8OrWindows1252() {
        assertThat(DecodedBytes.of("grün ✓".getBytes(StandardCharsets.UTF_8), null).text())
                .isEqualTo("grün ✓");
        assertThat(DecodedBytes.of("gr\u00fcn \u0080".getBytes(ISO_8859_1), null).text())
                .isEqualTo("grün €");
        assertThat(DecodedBytes.of(new byte[0], null).text()).isEmpty();
    }

    @Test
    void saysWhetherBytesAreReplaced() {
        assertThat(DecodedBytes.of(new byte[] {'a', (byte) 0xff}, "utf-8"))
                .isEqualTo(new DecodedBytes("a\ufffd", false));
        assertThat(List.of(0x81, 0x8d, 0x8f, 0x90, 0x9d))
                .allSatisfy(each ->
                        assertThat(DecodedBytes.of(new byte[] {each.byteValue()}, "latin1"))
                                .isEqualTo(new DecodedBytes(Character.toString(each), true)));
    }
}
