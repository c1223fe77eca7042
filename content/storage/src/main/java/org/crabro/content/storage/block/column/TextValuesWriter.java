package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.ChunkEncoding;

/**
 * Strings: uncompressed, as codes of a dictionary if few of them are distinct, or compressed. Each
 * block uses the smallest form.
 */
public final class TextValuesWriter implements ValuesWriter {
    private final TextStorage storage;
    private final BlockBytes starts = new BlockBytes(64);
    private final BlockBytes bytes = new BlockBytes(256);
    private final TextDictionaryWriter dictionary = new TextDictionaryWriter();
    private final TextFrameWriter frames = new TextFrameWriter();
    private Form form = Form.RAW;
    private int count;

    private enum Form {
        RAW,
        CODED,
        FRAMED
    }

    public TextValuesWriter(TextStorage storage) {
        this.storage = storage;
        starts.putInt(0);
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        int length = encoded.get(INT, offset);
        bytes.put(encoded, offset + Integer.BYTES, length);
        starts.putInt(bytes.position());
        count++;
        return offset + Integer.BYTES + length;
    }

    @Override
    public void fillTo(int wanted) {
        for (; count < wanted; count++) {
            starts.putInt(bytes.position());
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        form = Form.RAW;
        long raw = (long) starts.position() + bytes.position();
        long smallest = raw;
        if (storage == TextStorage.CODED
                && dictionary.build(starts, bytes, count)
                && dictionary.size() < smallest) {
            form = Form.CODED;
            smallest = dictionary.size();
        }
        // A dictionary that halves the bytes is used without trying compression: it needs no
        // decompression.
        if (storage != TextStorage.RAW
                && smallest > raw / 2
                && frames.build(starts, bytes, count)
                && starts.position() + frames.size() < smallest) {
            form = Form.FRAMED;
        }
    }

    @Override
    public ChunkEncoding encoding() {
        return switch (form) {
            case RAW -> ChunkEncoding.TEXT;
            case CODED -> ChunkEncoding.CODED_TEXT;
            case FRAMED -> ChunkEncoding.FRAMED_TEXT;
        };
    }

    @Override
    public long size() {
        return switch (form) {
            case RAW -> (long) starts.position() + bytes.position();
            case CODED -> dictionary.size();
            case FRAMED -> starts.position() + frames.size();
        };
    }

    @Override
    public void writeTo(BlockBytes out) {
        switch (form) {
            case RAW -> {
                out.put(starts);
                out.put(bytes);
            }
            case CODED -> dictionary.writeTo(out);
            case FRAMED -> {
                out.put(starts);
                frames.writeTo(out);
            }
        }
    }

    @Override
    public void clear() {
        starts.clear();
        starts.putInt(0);
        bytes.clear();
        count = 0;
    }
}
