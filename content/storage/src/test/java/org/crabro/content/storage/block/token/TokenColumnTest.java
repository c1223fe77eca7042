package org.crabro.content.storage.block.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.BlockOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.TokenLayout;
import org.crabro.text.Folding;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenColumnTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final List<String> SEPARATORS = List.of(" ", ", ", "-", "\n", " … ", "");

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givesBackTheTokensOfEveryRow() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, false);
        for (int vocabulary : new int[] {1, 30, 250, 300, 5_000}) {
            for (int rows : new int[] {1, 2, 33, 400}) {
                List<List<String>> texts = rows(rows, vocabulary);

                TokenColumn column = write(writer, texts);

                compare(column, texts, "%d words, %d rows".formatted(vocabulary, rows));
            }
        }
    }

    @Test
    void widensNumbersToWhatTheTokensOfTheBlockNeed() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, false, false);
        for (int count : new int[] {1, 256, 257, 65_536, 65_537, 70_000}) {
            var text = new StringBuilder();
            for (int i = 0; i < count; i++) {
                text.append('w').append(i).append(' ');
            }

            TokenColumn column = write(writer, List.of(List.of(text.toString()), List.of("w0")));

            assertThat(column.dictionary().size()).isEqualTo(count);
            assertThat(column.numbers().width())
                    .isEqualTo(count <= 256 ? 1 : count <= 65_536 ? 2 : 4);
            int w0 = column.dictionary().find("w0".getBytes(UTF_8));
            assertThat(column.numbers().number(count)).isEqualTo(w0);
            assertThat(column.dictionary().documents(w0)).isEqualTo(2);
            for (int i = 0; i < count; i += 997) {
                int number = column.dictionary().find(("w" + i).getBytes(UTF_8));
                assertThat(column.numbers().number(i)).isEqualTo(number);
            }
        }
    }

    @Test
    void findsEveryTokenAndTheRangeOfEveryPrefix() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, false);
        for (int vocabulary : new int[] {1, 31, 32, 33, 65, 2_000}) {
            TokenDictionary dictionary = write(writer, rows(200, vocabulary)).dictionary();
            List<byte[]> tokens = tokens(dictionary);

            for (int i = 0; i < 500; i++) {
                byte[] target = random.nextBoolean() ? word(vocabulary).getBytes(UTF_8) : bytes();
                int before = 0;
                int beginning = 0;
                int at = -1;
                for (int number = 0; number < tokens.size(); number++) {
                    byte[] token = tokens.get(number);
                    before += Arrays.compareUnsigned(token, target) < 0 ? 1 : 0;
                    int length = Math.min(token.length, target.length);
                    beginning += Arrays.equals(Arrays.copyOf(token, length), target) ? 1 : 0;
                    at = Arrays.equals(token, target) ? number : at;
                }
                String what = HexFormat.of().formatHex(target) + ", seed " + SEED;
                assertThat(dictionary.find(target)).as(what).isEqualTo(at < 0 ? -before - 1 : at);
                assertThat(dictionary.firstNotBefore(target)).as(what).isEqualTo(before);
                assertThat(dictionary.endOfPrefix(target)).as(what).isEqualTo(before + beginning);
            }
        }
    }

    @Test
    void skipsTheTokensWithTheSameBeginning() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, false);
        for (int vocabulary : new int[] {1, 33, 2_000}) {
            TokenDictionary dictionary = write(writer, rows(200, vocabulary)).dictionary();
            List<byte[]> tokens = tokens(dictionary);
            for (int prefix = 1; prefix < 5; prefix++) {
                int passed = -1;
                TokenDictionary.Cursor cursor = dictionary.cursor();
                for (boolean isMore = cursor.next(); isMore; isMore = cursor.skip(prefix)) {
                    byte[] token = Arrays.copyOf(cursor.buffer(), cursor.length());

                    assertThat(token).as("seed %d", SEED).isEqualTo(tokens.get(cursor.number()));
                    assertSkipped(tokens, passed, cursor.number(), prefix);
                    if (passed >= 0) {
                        assertThat(Arrays.copyOf(token, prefix))
                                .as("seed %d", SEED)
                                .isNotEqualTo(Arrays.copyOf(tokens.get(passed), prefix));
                    }
                    passed = cursor.number();
                }
                assertSkipped(tokens, passed, tokens.size(), prefix);
            }
        }
    }

    private static void assertSkipped(List<byte[]> tokens, int from, int to, int prefix) {
        for (int number = from + 1; number < to; number++) {
            assertThat(Arrays.copyOf(tokens.get(number), prefix))
                    .as("seed %d", SEED)
                    .isEqualTo(Arrays.copyOf(tokens.get(from), prefix));
        }
    }

    @Test
    void copiesRowsOfOtherColumnsInAnyOrder() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, false);
        List<List<List<String>>> texts = new ArrayList<>();
        List<TokenColumn> sources = new ArrayList<>();
        for (int i = 0; i < TokenMapping.SOURCES_MAX + 3; i++) {
            texts.add(rows(1 + random.nextInt(20), 1 + random.nextInt(500)));
            sources.add(write(writer, texts.getLast()));
        }
        List<List<String>> expected = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            int source = random.nextInt(sources.size());
            int row = random.nextInt(texts.get(source).size());
            expected.add(texts.get(source).get(row));
            if (i % 3 == 0) {
                add(writer, expected.getLast());
            } else {
                writer.copyRow(sources.get(source), row);
            }
        }

        TokenColumn copied = column(writer, expected.size());

        compare(copied, expected, "copied");
        TokenColumn written = write(writer, expected);
        assertThat(bytes(copied)).isEqualTo(bytes(written));
    }

    @Test
    void refusesToCopyTokensOfAnotherAnalysis() {
        TokenColumn cased =
                write(new TokenColumnWriter(Folding.NONE, false, false), List.of(List.of("A b")));
        var writer = new TokenColumnWriter(Folding.ACCENTS, false, false);

        assertThat(cased.dictionary().fingerprint())
                .isEqualTo(TextAnalysis.fingerprint(Folding.NONE));
        assertThat(tokens(cased.dictionary())).containsExactly(new byte[] {'A'}, new byte[] {'b'});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.copyRow(cased, 0))
                .withMessage(
                        "tokens of analysis %016x, not %016x",
                        TextAnalysis.fingerprint(Folding.NONE),
                        TextAnalysis.fingerprint(Folding.ACCENTS));
    }

    @Test
    void keepsWeightsOfElements() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, true);
        MemorySegment text = MemorySegment.ofArray("red red green".getBytes(UTF_8));
        writer.element(text, 0, 3, -7);
        writer.element(text, 4, 9, 40);
        writer.endRow();
        writer.endRow();
        writer.element("blue".getBytes(UTF_8), 0, 4);
        writer.endRow();
        TokenColumn column = column(writer, 3);
        for (int row = 0; row < 3; row++) {
            writer.copyRow(column, row);
        }

        TokenColumn copied = column(writer, 3);

        assertThat(bytes(copied)).isEqualTo(bytes(column));
        assertThat(copied.numbers().weight(0)).isEqualTo(-7);
        assertThat(copied.numbers().weight(1)).isEqualTo(40);
        assertThat(copied.numbers().weight(2)).isEqualTo(1);
        assertThat(copied.numbers().elementFrom(1)).isEqualTo(copied.numbers().elementTo(1));
    }

    @Test
    void reportsThatALongTextWasCut() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, false, false);
        String end = "x".repeat(Tokenizer.TEXT_LENGTH_MAX - 2);

        TokenColumn whole = write(writer, List.of(List.of("a " + end)));
        TokenColumn cut = write(writer, List.of(List.of("b " + end + " c"), List.of("d")));
        writer.copyRow(cut, 1);
        TokenColumn copied = column(writer, 1);

        assertThat(whole.dictionary().isCut()).isFalse();
        assertThat(cut.dictionary().isCut()).isTrue();
        assertThat(tokens(cut.dictionary())).hasSize(3);
        assertThat(copied.dictionary().isCut()).isTrue();
        assertThat(write(writer, List.of(List.of("e"))).dictionary().isCut()).isFalse();
    }

    @Test
    void sortsTokensThatBeginAlike() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, false, false);
        var text = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            text.append(i % 2 == 0 ? "beginning" : "beginnin").append("x".repeat(i % 40)).append(i);
            text.append(" 日本語日本語").append(i % 7).append("本".repeat(i % 5)).append(", ");
        }
        text.append("y".repeat(5_000)).append(' ').append("y".repeat(4_999));

        TokenColumn column = write(writer, List.of(List.of(text.toString())));

        assertThat(tokens(column.dictionary())).isSortedAccordingTo(Arrays::compareUnsigned);
        compare(column, List.of(List.of(text.toString())), "alike");
    }

    @Test
    void writesTheGoldenBytes() {
        var writer = new TokenColumnWriter(Folding.ACCENTS, true, true);
        byte[] first = "Ein Haus, ein Häuschen".getBytes(UTF_8);
        byte[] second = "haushaltsgerätefachverkäuferin haus".getBytes(UTF_8);
        writer.element(MemorySegment.ofArray(first), 0, first.length, 5);
        writer.element(MemorySegment.ofArray(second), 0, second.length, -1);
        writer.endRow();
        writer.endRow();
        writer.element(MemorySegment.ofArray(second), 0, second.length, 3);
        writer.endRow();

        TokenColumn column = column(writer, 3);

        assertThat(HexFormat.of().formatHex(bytes(column)))
                .isEqualTo(
                        """
                        0200000001000000 04000000 08000000 02000000 00000000 20000000 00000000
                        00000000
                        02 65696e
                        08 68616575736368656e
                        a1 02 7573
                        cf 0c 02 68616c747367657261657465666163687665726b616575666572696e
                        01 03 0000 03000000
                        00000000 02000000 02000000 03000000
                        00000000 04000000 06000000 08000000
                        05000000 ffffffff 03000000
                        00 02 00 01 03 02 03 02
                        """
                                .replaceAll("\\s", ""));
    }

    @Test
    void detectsInconsistentBytes() {
        TokenColumn column =
                write(new TokenColumnWriter(Folding.ACCENTS, true, false), rows(40, 200));
        BlockOrigin origin = BlockOrigin.memory();
        MemorySegment dictionary = column.dictionary().bytes();
        MemorySegment numbers = column.numbers().bytes();
        TokenDictionary.check(dictionary, 40, origin, 0);
        TokenNumbers.check(numbers, 40, 0, 40, origin, 0);

        for (int offset = 0; offset < 250; offset++) {
            if (isRead(offset, TokenLayout.RESTARTS_OFFSET + 20)) {
                dictionary.set(BlockLayout.INT, offset, ~dictionary.get(BlockLayout.INT, offset));
                assertThatExceptionOfType(CorruptRunException.class)
                        .as("dictionary, byte %d", offset)
                        .isThrownBy(() -> TokenDictionary.check(dictionary, 40, origin, 64));
                dictionary.set(BlockLayout.INT, offset, ~dictionary.get(BlockLayout.INT, offset));
            }
            if (offset < 4 || offset % 4 == 0) {
                numbers.set(BlockLayout.INT, offset, ~numbers.get(BlockLayout.INT, offset));
                assertThatExceptionOfType(CorruptRunException.class)
                        .as("numbers, byte %d", offset)
                        .isThrownBy(() -> TokenNumbers.check(numbers, 40, 0, 40, origin, 64));
                numbers.set(BlockLayout.INT, offset, ~numbers.get(BlockLayout.INT, offset));
            }
        }
        for (long length = 0; length < 32; length++) {
            MemorySegment cut = dictionary.asSlice(0, length);
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(() -> TokenDictionary.check(cut, 40, origin, 64));
        }
        MemorySegment cut = numbers.asSlice(0, numbers.byteSize() - 1);
        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(() -> TokenNumbers.check(cut, 40, 0, 40, origin, 64));
    }

    private static boolean isRead(int offset, int end) {
        return offset == TokenLayout.TOKENS_OFFSET
                || offset == TokenLayout.ROWS_OFFSET
                || (offset % 4 == 0 && offset >= TokenLayout.RESTARTS_OFFSET && offset < end);
    }

    private TokenColumn write(TokenColumnWriter writer, List<List<String>> rows) {
        rows.forEach(row -> add(writer, row));
        return column(writer, rows.size());
    }

    private void add(TokenColumnWriter writer, List<String> row) {
        for (String element : row) {
            byte[] text = ("__" + element).getBytes(UTF_8);
            if (random.nextBoolean()) {
                writer.element(MemorySegment.ofArray(text), 2, text.length - 2);
            } else {
                writer.element(text, 2, text.length - 2);
            }
        }
        writer.endRow();
    }

    private TokenColumn column(TokenColumnWriter writer, int rows) {
        assertThat(writer.rowCount()).isEqualTo(rows);
        writer.finish();
        MemorySegment dictionary = segment(writer.dictionary());
        MemorySegment numbers = segment(writer.numbers());
        TokenDictionary.check(dictionary, rows, BlockOrigin.memory(), 0);
        TokenNumbers.check(numbers, rows, 0, rows, BlockOrigin.memory(), 0);
        return new TokenColumn(new TokenDictionary(dictionary), new TokenNumbers(numbers, rows));
    }

    private MemorySegment segment(ByteBuffer bytes) {
        MemorySegment segment = arena.allocate(bytes.remaining(), 8);
        segment.copyFrom(MemorySegment.ofBuffer(bytes));
        return segment;
    }

    private static void compare(TokenColumn column, List<List<String>> rows, String what) {
        SortedMap<byte[], Integer> documents = new TreeMap<>(Arrays::compareUnsigned);
        int words = 0;
        int withWords = 0;
        TokenNumbers numbers = column.numbers();
        List<byte[]> tokens = tokens(column.dictionary());
        for (int row = 0; row < rows.size(); row++) {
            List<String> elements = rows.get(row);
            SortedMap<byte[], Integer> ofRow = new TreeMap<>(Arrays::compareUnsigned);
            int rowStart = words;
            assertThat(numbers.elementTo(row) - numbers.elementFrom(row))
                    .isEqualTo(numbers.hasElements() ? elements.size() : 1);
            for (int i = 0; i < elements.size(); i++) {
                int element = numbers.elementFrom(row) + i;
                List<String> expected = Tokenizer.tokens(elements.get(i));
                List<String> matches = new ArrayList<>();
                for (int at = numbers.wordFrom(element); at < numbers.wordTo(element); at++) {
                    byte[] token = tokens.get(numbers.number(at));
                    matches.add(new String(token, UTF_8));
                    ofRow.put(token, 1);
                }
                assertThat(matches).as("%s, row %d, seed %d", what, row, SEED).isEqualTo(expected);
                words += expected.size();
            }
            assertThat(numbers.rowStart(row)).isEqualTo(rowStart);
            assertThat(numbers.length(row)).isEqualTo(words - rowStart);
            withWords += words > rowStart ? 1 : 0;
            ofRow.forEach((token, count) -> documents.merge(token, count, Integer::sum));
        }
        assertThat(column.dictionary().wordCount()).isEqualTo(words);
        assertThat(column.dictionary().rowsWithWords()).isEqualTo(withWords);
        int number = 0;
        for (var token : documents.entrySet()) {
            assertThat(tokens.get(number)).isEqualTo(token.getKey());
            assertThat(column.dictionary().documents(number)).isEqualTo(token.getValue());
            number++;
        }
        assertThat(column.dictionary().size()).isEqualTo(number);
    }

    private static List<byte[]> tokens(TokenDictionary dictionary) {
        List<byte[]> tokens = new ArrayList<>();
        TokenDictionary.Cursor cursor = dictionary.cursor();
        while (cursor.next()) {
            assertThat(cursor.number()).isEqualTo(tokens.size());
            tokens.add(Arrays.copyOf(cursor.buffer(), cursor.length()));
        }
        return tokens;
    }

    private static byte[] bytes(TokenColumn column) {
        byte[] dictionary = column.dictionary().bytes().toArray(ValueLayout.JAVA_BYTE);
        byte[] numbers = column.numbers().bytes().toArray(ValueLayout.JAVA_BYTE);
        byte[] both = Arrays.copyOf(dictionary, dictionary.length + numbers.length);
        System.arraycopy(numbers, 0, both, dictionary.length, numbers.length);
        return both;
    }

    private List<List<String>> rows(int count, int vocabulary) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            List<String> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                var text = new StringBuilder();
                for (int word = random.nextInt(30); word > 0; word--) {
                    text.append(word(vocabulary));
                    text.append(SEPARATORS.get(random.nextInt(SEPARATORS.size())));
                }
                elements.add(text.toString());
            }
            rows.add(elements);
        }
        return rows;
    }

    /** Words of various lengths and scripts, some with common prefixes. */
    private String word(int vocabulary) {
        int number = random.nextInt(vocabulary);
        return switch (number % 6) {
            case 0 -> "A" + number;
            case 1 -> "longerandlonger" + "x".repeat(number % 50) + number;
            case 2 -> "日本" + number;
            case 3 -> "Crème" + number;
            case 4 -> "Ωmega" + number % 10 + "ß" + number;
            default -> Integer.toString(number, 36);
        };
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(1, 4)];
        random.nextBytes(bytes);
        bytes[bytes.length - 1] &= 0x7f;
        return bytes;
    }
}
