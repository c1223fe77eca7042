package org.crabro.content.storage.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaListTest {
    private static final ReplicaList LIST =
            new ReplicaList(
                    ShardRecord.Content.of(3, 77, new byte[] {9, 8}),
                    List.of(1, 3),
                    List.of(new ReplicaFile("partitions/01/7.run", 1_000, 0x0a0b0c0d)));

    @Test
    void hasTheseBytes() {
        assertThat(HexFormat.of().formatHex(LIST.encode()))
                .isEqualTo(
                        "01000000"
                                + "0300000000000000"
                                + "4d00000000000000"
                                + "020000000908"
                                + "020000000100000003000000"
                                + "01000000"
                                + "13000000706172746974696f6e732f30312f372e72756e"
                                + "e803000000000000"
                                + "0d0c0b0a");
    }

    @Test
    void readsWhatItWrites() {
        ReplicaList read = ReplicaList.decode(LIST.encode());

        assertThat(read.partitions()).containsExactly(1, 3);
        assertThat(read.files()).isEqualTo(LIST.files());
        assertThat(read.record().term()).isEqualTo(3);
        assertThat(read.record().index()).isEqualTo(77);
        assertThat(read.record().bytes().getFirst()).containsExactly(9, 8);
        assertThat(read.bytes()).isEqualTo(1_000);
    }

    @Test
    void rejectsEveryListThatEndsEarly() {
        byte[] whole = LIST.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ReplicaList.decode(cut))
                    .withMessageMatching("the list ends early, at byte \\d+");
        }
    }

    /** Partitions of other shards were emptied, and files of other places replaced. */
    @Test
    void rejectsPartitionsAndFilesOfOtherShards() {
        Set<String> places = Set.of("schemas", "partitions/01", "partitions/03");
        LIST.requireOf(List.of(3, 1), places);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LIST.requireOf(List.of(1), places))
                .withMessage("the other node has the partitions [1, 3], expected [1]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LIST.requireOf(List.of(1, 3, 5), places));
        for (String path : List.of("partitions/02/7.run", "shards/x", "raft/a/b", "schemas/a/b")) {
            var other =
                    new ReplicaList(
                            LIST.record(), List.of(1, 3), List.of(new ReplicaFile(path, 1, 1)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> other.requireOf(List.of(1, 3), places))
                    .withMessage("'%s' is no file of the partitions [1, 3]".formatted(path));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version",
                "/etc/passwd",
                "../x/y",
                "partitions/../../x",
                "partitions/01/..",
                "partitions//1.run",
                "partitions/01/.",
                "partitions\\01/1.run"
            })
    void rejectsPathsThatLeadElsewhere(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReplicaFile(path, 1, 1))
                .withMessage("'%s' with 1 bytes is no file of a replica", path);
    }
}
