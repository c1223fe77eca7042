package org.crabro.content.storage.block.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.crabro.content.storage.layout.BlockBytes;
import org.junit.jupiter.api.Test;

class TimestampColumnTest {
    @Test
    void keepsTimestampsInAsFewBytesAsTheirSpanNeeds() {
        long first = 1_700_000_000_000_000L;

        assertThat(width(first, first, first)).isZero();
        assertThat(width(first, first + 0xff)).isEqualTo(1);
        assertThat(width(first + 0x100, first)).isEqualTo(2);
        assertThat(width(first, first + 0x1_0000, first + 1)).isEqualTo(4);
        assertThat(width(first, first + 0xffff_ffffL)).isEqualTo(4);
        assertThat(width(first, first + 0x1_0000_0000L)).isEqualTo(6);
        assertThat(width(first + 0xffff_ffff_ffffL, first)).isEqualTo(6);
        assertThat(width(first, first + 0x1_0000_0000_0000L)).isEqualTo(8);
        assertThat(width(0, Long.MAX_VALUE, 1)).isEqualTo(8);
        assertThat(width(Long.MIN_VALUE, Long.MAX_VALUE, 0, -1)).isEqualTo(8);
    }

    /** Returns the bytes per timestamp, after reading them back. */
    private static int width(long... timestamps) {
        var writer = new TimestampColumnWriter();
        // Earlier timestamps must not matter.
        writer.add(7);
        writer.clear();
        LongStream.of(timestamps).forEach(writer::add);
        var out = new BlockBytes(1);
        writer.writeTo(out);
        assertThat(out.position()).isEqualTo((int) writer.size());

        int width = out.position() / timestamps.length;
        MemorySegment bytes = MemorySegment.ofBuffer(out.written());
        var column = new TimestampColumn(bytes, writer.bounds().min(), width);
        for (int row = 0; row < timestamps.length; row++) {
            assertThat(column.of(row)).isEqualTo(timestamps[row]);
        }
        assertThat(TimestampColumn.isWidth(width)).isTrue();
        return width;
    }
}
