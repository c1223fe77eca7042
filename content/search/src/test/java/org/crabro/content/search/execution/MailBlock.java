package org.crabro.content.search.execution;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;

/** Mails of a test, written down one by one, in blocks of so many. */
public final class MailBlock implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final TreeMap<RowKey, Row> rows = new TreeMap<>();
    private final int rowsPerBlock;
    private final SearchedTexts texts;
    private final DocumentType type;

    public MailBlock(int rowsPerBlock) {
        this(rowsPerBlock, Mails.SEARCHED_TEXTS);
    }

    /**
     * @param texts the fields whose tokens are stored in blocks
     */
    public MailBlock(int rowsPerBlock, SearchedTexts texts) {
        this(rowsPerBlock, texts, Mails.TYPE);
    }

    /**
     * @param type the document type of mails
     */
    public MailBlock(int rowsPerBlock, SearchedTexts texts, DocumentType type) {
        this.texts = texts;
        this.type = type;
        this.rowsPerBlock = rowsPerBlock;
    }

    /** Adds the mail {@code id:t:mail::user} with fields as names and values in turns. */
    public MailBlock with(String user, Object... fields) {
        var values = new LinkedHashMap<String, FieldValue>();
        for (int i = 0; i < fields.length; i += 2) {
            values.put((String) fields[i], (FieldValue) fields[i + 1]);
        }
        return with(user, values);
    }

    public MailBlock with(String user, Map<String, FieldValue> fields) {
        var id = new DocumentId("t", "mail", new LocationKey.Plain(), user);
        rows.put(RowKey.of(id), new Row(id, rows.size() + 1, type.fingerprint(), false, fields));
        return this;
    }

    /** Returns a view of all. */
    public View view() {
        var slices = new ArrayList<BlockSlice>();
        var all = new ArrayList<>(rows.values());
        for (int from = 0; from < all.size(); from += rowsPerBlock) {
            int to = Math.min(all.size(), from + rowsPerBlock);
            EncodedBlock block = new BlockWriter(type, texts).write(all.subList(from, to), arena);
            slices.add(new BlockSlice(block, 0, to - from, DeadRows.NONE));
        }
        return new View() {
            @Override
            public List<BlockSlice> slices(String documentType, KeyRange range) {
                return slices;
            }

            @Override
            public Optional<LiveRow> find(RowKey key, ReadContext reads) {
                throw new UnsupportedOperationException("no search of this test has parents");
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        arena.close();
    }
}
