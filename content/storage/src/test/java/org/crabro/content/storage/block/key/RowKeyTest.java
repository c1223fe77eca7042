package org.crabro.content.storage.block.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.crabro.document.DocumentId;
import org.crabro.document.GlobalId;
import org.junit.jupiter.api.Test;

class RowKeyTest {
    @Test
    void putsTheLowestLocationBitFirst() {
        assertThat(RowKey.place(1)).isEqualTo(0x8000_0000_0000_0000L);
        assertThat(RowKey.place(0x1234_5678_0000_0002L)).isEqualTo(0x4000_0000_1234_5678L);
    }

    @Test
    void putsTheLowestDocumentBitFirstAndKeepsAllOfTheHash() {
        assertThat(RowKey.document(new GlobalId(0, 1L << 32))).isEqualTo(1L << 63);
        assertThat(RowKey.document(new GlobalId(0, 1L << 57))).isEqualTo(1L << 38);
        assertThat(RowKey.document(new GlobalId(0, 0x0000_0000_4433_2211L)))
                .isEqualTo(0x1122_3344L << 6);
        assertThat(RowKey.document(new GlobalId(0, 0xfc00_0000_0000_0000L))).isEqualTo(0x3f);
    }

    @Test
    void ordersAsTheBucketsDo() {
        List<DocumentId> ids =
                Stream.of("n=100:a", "n=101:b", "g=x:c", ":d", "n=1:e", "n=100:f")
                        .map(path -> DocumentId.parse("id:ns:t:" + path))
                        .toList();

        List<Long> buckets =
                ids.stream()
                        .sorted((left, right) -> RowKey.of(left).compareTo(RowKey.of(right)))
                        .map(id -> Long.reverse(id.globalId().bucket()) & ~0x3fL)
                        .toList();

        assertThat(buckets).isSortedAccordingTo(Long::compareUnsigned);
    }

    @Test
    void keepsGroupsNumbersAndPlainIdsOfOneLocationApart() {
        DocumentId plain = DocumentId.parse("id:ns:t::user");
        DocumentId grouped = DocumentId.parse("id:ns:t:g=user:user");
        DocumentId numbered =
                DocumentId.parse("id:ns:t:n=" + Long.toUnsignedString(plain.location()) + ":user");

        List<RowKey> keys = Stream.of(numbered, grouped, plain).map(RowKey::of).sorted().toList();

        assertThat(keys).extracting(RowKey::id).containsExactly(plain, grouped, numbered);
        assertThat(keys).extracting(RowKey::place).containsOnly(keys.getFirst().place());
        assertThat(keys.get(0).isOfSameGroup(keys.get(1))).isFalse();
        assertThat(keys.get(1).isOfSameGroup(keys.get(1))).isTrue();
    }

    @Test
    void putsTheTypeBehindTheGroup() {
        RowKey first = RowKey.of(DocumentId.parse("id:ns:a:g=user:2"));
        RowKey second = RowKey.of(DocumentId.parse("id:ns:b:g=user:1"));

        assertThat(first).isLessThan(second);
        assertThat(first.isOfSameGroup(second)).isTrue();
    }
}
