package org.crabro.content.search.group;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.GroupValue;
import org.jspecify.annotations.Nullable;

/** The minima or maxima of strings or bytes. */
final class LeastTexts implements AggregateColumn {
    private final boolean isLargest;
    private final ValueKind kind;
    private byte[] @Nullable [] best = new byte[16] @Nullable [];
    private long bytes;

    LeastTexts(ValueKind kind, boolean isLargest) {
        this.kind = kind;
        this.isLargest = isLargest;
    }

    @Override
    public void reserve(int size) {
        if (size > best.length) {
            best = Arrays.copyOf(best, Math.max(size, best.length * 2));
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        for (int row = 0; row < count; row++) {
            for (int i = values.start(row); i < values.end(row); i++) {
                byte[] before = best[groups[row]];
                int text = values.texts[i];
                if (before == null || isBetter(texts.compare(text, before))) {
                    set(groups[row], texts.copy(text));
                }
            }
        }
    }

    private boolean isBetter(int compared) {
        return isLargest ? compared > 0 : compared < 0;
    }

    private void set(int group, byte[] text) {
        byte[] before = best[group];
        bytes += text.length + 16 - (before == null ? 0 : before.length + 16);
        best[group] = text;
    }

    @Override
    public void merge(AggregateColumn from, int group, int into) {
        byte[] other = ((LeastTexts) from).best[group];
        byte[] own = best[into];
        if (other != null && (own == null || isBetter(Arrays.compareUnsigned(other, own)))) {
            set(into, other);
        }
    }

    @Override
    public AggregateValue value(int group) {
        byte[] text = best[group];
        Optional<GroupValue> value = text == null ? Optional.empty() : Optional.of(value(text));
        GroupValue empty = value(new byte[0]);
        return isLargest
                ? new AggregateValue.Greatest(value, empty)
                : new AggregateValue.Least(value, empty);
    }

    private GroupValue value(byte[] text) {
        return kind == ValueKind.TEXT
                ? new GroupValue.Text(new String(text, StandardCharsets.UTF_8))
                : GroupValue.Raw.of(text, 0, text.length);
    }

    @Override
    public boolean hasOrderKeys() {
        return false;
    }

    @Override
    public long orderKey(int group) {
        throw new IllegalStateException("texts are put in order by what they are");
    }

    @Override
    public long byteSize() {
        return 8L * best.length + bytes;
    }
}
