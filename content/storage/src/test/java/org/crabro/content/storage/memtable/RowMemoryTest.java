package org.crabro.content.storage.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.os.SystemMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowMemoryTest {
    private static final int PAGES_KEPT = 2;

    private final RowMemory memory = new RowMemory((long) PAGES_KEPT * SystemMemory.SIZE);

    @BeforeEach
    void needsASystemThatGivesPages() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "only Linux is asked for pages");
    }

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void piecesLieApartAndAreUsedAgain() {
        List<Long> first = takeAndFill(3);
        List<Long> second = takeAndFill(3);

        assertThat(first).doesNotHaveDuplicates();
        assertThat(second).as("from the two pages that are kept").hasSize(3);
        assertThat(memory.unusedBytes()).isEqualTo(2L * SystemMemory.SIZE);
    }

    /** Fills pieces with distinct numbers, checks them, and releases them. */
    private List<Long> takeAndFill(int count) {
        List<Long> addresses = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> pieces = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                MemorySegment piece = memory.take(arena).orElseThrow();
                assertThat(piece.byteSize()).isEqualTo(RowMemory.PIECE_SIZE);
                piece.fill((byte) (i + 1));
                pieces.add(piece);
                addresses.add(piece.address());
            }
            for (int i = 0; i < count; i++) {
                MemorySegment piece = pieces.get(i);
                assertThat(piece.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) (i + 1));
                assertThat(piece.get(ValueLayout.JAVA_BYTE, RowMemory.PIECE_SIZE - 1))
                        .isEqualTo((byte) (i + 1));
            }
        }
        return addresses;
    }

    @Test
    void poolsNoMorePagesThanItsLimit() {
        takeAndFill(20);

        assertThat(memory.unusedBytes()).isEqualTo((long) PAGES_KEPT * SystemMemory.SIZE);
    }

    @Test
    void poolsAPageOnceBothPiecesAreReturned() {
        try (Arena one = Arena.ofShared()) {
            assertThat(memory.take(one)).isPresent();
            try (Arena other = Arena.ofShared()) {
                assertThat(memory.take(other)).isPresent();
            }
            assertThat(memory.unusedBytes()).isZero();
        }
        assertThat(memory.unusedBytes()).isEqualTo(SystemMemory.SIZE);
    }

    @Test
    void releasesPagesThatWereNotUsedSinceTheLastCheck() {
        takeAndFill(4);
        memory.trim();
        assertThat(memory.unusedBytes()).as("given back since").isEqualTo(2L * SystemMemory.SIZE);

        takeAndFill(1);
        memory.trim();
        assertThat(memory.unusedBytes()).as("one was needed").isEqualTo(SystemMemory.SIZE);

        memory.trim();
        assertThat(memory.unusedBytes()).as("none was needed").isZero();
    }

    @Test
    void piecesInUseOutliveIt() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment piece = memory.take(arena).orElseThrow();

            memory.close();

            piece.fill((byte) 1);
            assertThat(piece.get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) 1);
        }
        assertThat(memory.unusedBytes()).isZero();
    }

    @Test
    void aPieceThatWasGivenBackIsNotReadAnyMore() {
        MemorySegment piece;
        try (Arena arena = Arena.ofShared()) {
            piece = memory.take(arena).orElseThrow();
        }
        assertThatThrownBy(() -> piece.get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }
}
