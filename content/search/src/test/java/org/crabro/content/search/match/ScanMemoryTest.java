package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScanMemoryTest {
    private final ScanMemory.Pool pool = new ScanMemory.Pool(2);

    @Test
    void isUsedAgain() {
        ScanMemory memory = pool.take();
        memory.reserve(100);
        int[] rows = memory.rows();
        int[] borrowed = memory.borrow();
        memory.giveBack(borrowed);
        pool.giveBack(memory);

        ScanMemory again = pool.take();
        again.reserve(50);

        assertThat(again.rows()).isSameAs(rows);
        assertThat(again.borrow()).isSameAs(borrowed).isNotSameAs(again.borrow());
    }

    @Test
    void hasRoomForLargerSlices() {
        ScanMemory memory = pool.take();
        memory.reserve(100);
        memory.giveBack(memory.borrow());
        memory.giveBack(memory.borrowNumbers());

        memory.reserve(101);

        assertThat(memory.rows()).hasSizeGreaterThanOrEqualTo(101);
        assertThat(memory.borrow()).hasSizeGreaterThanOrEqualTo(101);
        assertThat(memory.borrowNumbers()).hasSizeGreaterThanOrEqualTo(101);
    }

    @Test
    void isPooledForFewScansAndWithoutLargeBlocks() {
        var large = new ScanMemory();
        large.reserve(4_097);
        var first = new ScanMemory();
        var second = new ScanMemory();
        var third = new ScanMemory();
        pool.giveBack(large);
        pool.giveBack(first);
        pool.giveBack(second);
        pool.giveBack(third);

        assertThat(pool.take()).isSameAs(second);
        assertThat(pool.take()).isSameAs(first);
        assertThat(pool.take()).isNotIn(large, first, second, third);
    }
}
