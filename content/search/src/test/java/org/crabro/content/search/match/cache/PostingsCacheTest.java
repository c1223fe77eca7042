package org.crabro.content.search.match.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.text.Folding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostingsCacheTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final DocumentType TYPE =
            new DocumentType("mail", List.of(new Field("body", FieldType.Primitive.STRING, true)));

    private final Arena arena = Arena.ofConfined();
    private final Random random = new Random(SEED);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void tellHowOftenEachTokenStandsInEachRow() {
        EncodedBlock block = block(300);
        TokenDictionary dictionary = block.tokenDictionary("body").orElseThrow();
        TokenNumbers numbers = block.tokenNumbers("body").orElseThrow();

        Postings postings =
                Objects.requireNonNull(
                        new PostingsCache(1 << 20, 0).of(block, "body", dictionary, numbers));

        for (int token = 0; token < dictionary.size(); token++) {
            int from = random.nextInt(300);
            int to = from + random.nextInt(300 - from);
            int[] expected = new int[to - from];
            for (int row = from; row < to; row++) {
                for (int word = numbers.rowStart(row); word < numbers.rowStart(row + 1); word++) {
                    expected[row - from] += numbers.number(word) == token ? 2 : 0;
                }
            }
            int[] counts = new int[to - from];
            postings.count(token, 2, from, to, counts);
            assertThat(counts).as("token %d, seed %d", token, SEED).isEqualTo(expected);
        }
    }

    @Test
    void areMadeOnceABlockWasSearchedOften() {
        var cache = new PostingsCache(1 << 20, 3);
        EncodedBlock block = block(10);

        assertThat(Arrays.asList(ask(cache, block), ask(cache, block), ask(cache, block)))
                .containsOnlyNulls();
        Postings made = ask(cache, block);
        assertThat(made).isNotNull();
        assertThat(ask(cache, block)).isSameAs(made);
    }

    @Test
    void areNotMadeForAReaderOfSomeRows() {
        var cache = new PostingsCache(1 << 20, 0);

        assertThat(ask(cache, block(10).only(2, 5))).isNull();
        assertThat(cache.byteSize()).isZero();
    }

    @Test
    void goWhenThereAreTooManyTheOldestFirst() {
        List<EncodedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            blocks.add(block(200));
        }
        var one = new PostingsCache(1 << 20, 0);
        ask(one, blocks.getFirst());
        long bytesMax = 4 * one.byteSize();
        var cache = new PostingsCache(bytesMax, 0);

        for (EncodedBlock block : blocks) {
            assertThat(ask(cache, block)).isNotNull();
            assertThat(ask(cache, blocks.getFirst())).isNotNull();
            assertThat(cache.byteSize()).isBetween(1L, bytesMax);
        }
        Postings last = ask(cache, blocks.getLast());
        assertThat(ask(cache, blocks.getLast())).isSameAs(last);
    }

    private static @Nullable Postings ask(PostingsCache cache, EncodedBlock block) {
        return cache.of(
                block,
                "body",
                block.tokenDictionary("body").orElseThrow(),
                block.tokenNumbers("body").orElseThrow());
    }

    private EncodedBlock block(int count) {
        var writer = new BlockWriter(TYPE, new SearchedTexts(Map.of("body", Folding.ACCENTS)));
        var rows = new TreeMap<RowKey, MemorySegment>();
        for (int row = 0; row < count; row++) {
            var text = new StringBuilder();
            for (int word = random.nextInt(30); word > 0; word--) {
                text.append(" w").append(random.nextInt(1 + random.nextInt(60)));
            }
            Map<String, FieldValue> fields = Map.of("body", new StringValue(text.toString()));
            var id = DocumentId.parse("id:a:mail:g=u:" + row);
            var stored = new Row(id, 1, TYPE.fingerprint(), false, fields);
            rows.put(RowKey.of(id), MemorySegment.ofArray(RowEncoding.encode(stored, TYPE)));
        }
        rows.forEach(writer::add);
        return writer.finish(arena);
    }
}
