package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.RowBits;

/** Structs: a column per field, each with a bitmap if some structs lack the field. */
public final class StructValuesWriter implements ValuesWriter {
    private final List<Part> parts;
    private int count;

    /** The values of one field. */
    private static final class Part {
        private final ValuesWriter values;
        private final RowBits present = new RowBits();

        Part(ValuesWriter values) {
            this.values = values;
        }

        private boolean isSet() {
            return present.count() > 0;
        }

        private boolean hasBitmap() {
            return present.count() < values.count();
        }

        private long size() {
            if (!isSet()) {
                return 0;
            }
            int bitmap = hasBitmap() ? BlockLayout.bitmapSize(values.count()) : 0;
            return values.size() + bitmap;
        }

        private void writeTo(BlockBytes out, long offset) {
            int encoding = isSet() ? values.encoding().code() : BlockLayout.NO_CHILD;
            boolean hasBitmap = isSet() && hasBitmap();
            BlockLayout.writeChildHeader(out, offset, encoding, hasBitmap, size());
            if (isSet()) {
                values.writeTo(out);
            }
            if (hasBitmap) {
                present.writeTo(out, values.count());
            }
        }
    }

    /**
     * @param fields in the order of the type
     */
    public StructValuesWriter(List<ValuesWriter> fields) {
        this.parts = fields.stream().map(Part::new).toList();
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        int set = Short.toUnsignedInt(encoded.get(SHORT, offset));
        long at = offset + Short.BYTES;
        for (int i = 0; i < set; i++) {
            Part part = parts.get(Short.toUnsignedInt(encoded.get(SHORT, at)));
            part.values.fillTo(count);
            part.present.set(count);
            at = part.values.add(encoded, at + Short.BYTES);
        }
        count++;
        return at;
    }

    @Override
    public void fillTo(int wanted) {
        count = Math.max(count, wanted);
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        for (Part part : parts) {
            if (part.isSet()) {
                part.values.fillTo(count);
                part.values.prepare();
            }
        }
    }

    @Override
    public ChunkEncoding encoding() {
        return ChunkEncoding.STRUCT;
    }

    @Override
    public long size() {
        long size = 0;
        for (Part part : parts) {
            size = BlockLayout.childOffset(size) + part.size();
        }
        return size;
    }

    @Override
    public void writeTo(BlockBytes out) {
        long written = 0;
        for (Part part : parts) {
            part.writeTo(out, written);
            written = BlockLayout.childOffset(written) + part.size();
        }
    }

    @Override
    public void clear() {
        for (Part part : parts) {
            part.values.clear();
            part.present.clear();
        }
        count = 0;
    }
}
