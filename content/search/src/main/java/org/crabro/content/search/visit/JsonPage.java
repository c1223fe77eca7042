package org.crabro.content.search.visit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.document.json.JsonBytes;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;

/** A page of JSON, which is written from columns. */
final class JsonPage implements PageContents {
    private static final byte[] REMOVE = "{\"remove\":".getBytes(US_ASCII);
    private static final byte[] TIMESTAMP = ",\"timestamp\":".getBytes(US_ASCII);
    private static final byte[] FIELDS = ",\"fields\":".getBytes(US_ASCII);

    /** The initial capacity of a page in bytes. */
    private static final int FIRST_CAPACITY = 64 << 10;

    private final VisitForm.Json form;
    private final RowJsons writers;
    private final byte[] begin;
    private final JsonBytes json;
    private byte[] id = new byte[128];
    private int count;

    /**
     * @param bytesMax the size in bytes from which on the page is full
     */
    JsonPage(VisitForm.Json form, int bytesMax) {
        this.form = form;
        this.writers = new RowJsons(form);
        this.begin =
                switch (form.style()) {
                    case LIST -> "{\"id\":".getBytes(US_ASCII);
                    case LINES -> "{\"put\":".getBytes(US_ASCII);
                };
        // An eighth more, because the last document may exceed the limit.
        long room = (long) bytesMax + (bytesMax >> 3);
        this.json = new JsonBytes((int) Math.min(room, FIRST_CAPACITY));
    }

    @Override
    public void add(VisitedRows rows, int row) {
        start(begin, rows.block(), row);
        json.put(FIELDS);
        rows.json(writers).write(rows.columns(), row, json);
        end();
    }

    @Override
    public void remove(VisitedRows rows, int row) {
        start(REMOVE, rows.block(), row);
        end();
    }

    private void start(byte[] begin, EncodedBlock block, int row) {
        if (count > 0 && form.style() == VisitForm.Style.LIST) {
            json.put(',');
        }
        json.put(begin);
        int length = block.idLength(row);
        if (id.length < length) {
            id = new byte[2 * length];
        }
        block.copyId(row, id);
        json.string(id, 0, length);
        if (form.withTimestamps()) {
            json.put(TIMESTAMP);
            json.number(block.timestamp(row));
        }
    }

    private void end() {
        json.put('}');
        if (form.style() == VisitForm.Style.LINES) {
            json.put('\n');
        }
        count++;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long size() {
        return json.size();
    }

    @Override
    public VisitReply.Contents finish() {
        return new VisitReply.Contents.Json(json.finish());
    }
}
