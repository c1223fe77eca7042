package org.crabro.client.imports;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.FieldBuilder;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.jsoup.Jsoup;

/**
 * Makes a record of a mail. The library finds headers and parts, one after another, without
 * recursion. Bodies, names and headers are decoded here. Not thread-safe.
 */
final class MailReader {
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int LONGEST_HTML = 8 << 20;

    private static final MimeConfig CONFIG =
            MimeConfig.copy(MimeConfig.PERMISSIVE)
                    .setMaxHeaderCount(ImportLimits.MAIL_HEADERS_MAX)
                    .setMaxHeaderLen(ImportLimits.MAIL_HEADER_BYTES_MAX)
                    .setMaxContentLen(-1)
                    .build();

    /** What happens to bytes without a character. */
    static final String REPLACED = "bytes that are not in its character set replaced";

    /** Lines of headers that are no headers, and multiparts without parts. */
    private final StringBuilder other = new StringBuilder();

    private final StringBuilder plain = new StringBuilder();
    private final StringBuilder html = new StringBuilder();
    private final List<String> attachments = new ArrayList<>();
    private final MailFields fields = new MailFields();
    private final Headers headers = new Headers();

    private final Losses losses;

    /** What is before the first part of the multipart that is read. */
    private byte[] preamble = new byte[0];

    /** Whether there was more HTML than is kept. */
    private boolean isHtmlCut;

    /** Gets what of a mail cannot be kept. */
    @FunctionalInterface
    interface Losses {
        /**
         * A value of a column is stored otherwise than it is given.
         *
         * @param change what happens to it, such as "cut after 10 characters"
         */
        void add(String column, String change);
    }

    private MailReader(Losses losses) {
        this.losses = losses;
    }

    /**
     * Returns the record of a mail.
     *
     * @param losses gets what cannot be kept
     * @throws IOException if it exceeds a limit
     */
    static Map<String, Object> record(byte[] mail, Losses losses) throws IOException {
        var reader = new MailReader(losses);
        try {
            reader.read(mail);
        } catch (MimeException e) {
            throw new IOException(e.getMessage(), e);
        }
        Map<String, Object> record = reader.fields.record(losses);
        record.put("text", reader.text());
        if (!reader.attachments.isEmpty()) {
            record.put("attachments", reader.attachments);
        }
        record.forEach((name, value) -> {
            // The character that stands for bytes without a character.
            if (!name.equals("text") && value.toString().indexOf(SingleByteCharset.NONE) >= 0) {
                losses.add(name, REPLACED);
            }
        });
        return record;
    }

    private void read(byte[] mail) throws IOException, MimeException {
        var tokens =
                new MimeTokenStream(CONFIG, null, headers, new MailBody.Builder(this::addBody));
        tokens.parse(new ByteArrayInputStream(mail));
        int depth = 0;
        int parts = 0;
        boolean isOuter = true;
        for (EntityState state = tokens.getState();
                state != EntityState.T_END_OF_STREAM;
                state = tokens.next()) {
            switch (state) {
                case T_START_HEADER -> headers.begin();
                case T_FIELD -> {
                    if (isOuter && tokens.getField() instanceof RawField field) {
                        fields.add(field);
                    }
                }
                case T_END_HEADER -> isOuter = false;
                case T_START_MULTIPART, T_START_MESSAGE -> depth = checkedDepth(depth + 1);
                case T_PREAMBLE -> preamble = tokens.getInputStream().readAllBytes();
                case T_END_MULTIPART -> {
                    depth--;
                    addPreamble();
                }
                case T_END_MESSAGE -> depth--;
                case T_START_BODYPART -> {
                    preamble = new byte[0];
                    if (++parts > ImportLimits.MAIL_PARTS_MAX) {
                        throw new IOException(
                                ImportLimits.tooMany("parts", ImportLimits.MAIL_PARTS_MAX));
                    }
                }
                case T_BODY -> {
                    var body = (MailBody) tokens.getBodyDescriptor();
                    if (body.isShown()) {
                        addText(body, tokens.getInputStream().readAllBytes());
                    }
                }
                default -> {
                    // What is after the last part is not shown.
                }
            }
        }
    }

    /** What is before the first part is shown only if there is no part. */
    private void addPreamble() {
        if (preamble.length > 0 && other.length() <= LONGEST_TEXT) {
            other.append(DecodedBytes.of(preamble, null).text()).append('\n');
        }
        preamble = new byte[0];
    }

    /** The mail itself is one level. */
    private static int checkedDepth(int depth) throws IOException {
        if (depth > ImportLimits.MAIL_DEPTH_MAX) {
            throw new IOException(
                    ImportLimits.tooMany("parts inside each other", ImportLimits.MAIL_DEPTH_MAX));
        }
        return depth;
    }

    private void addBody(MailBody body) {
        if (body.name() != null) {
            attachments.add(body.name());
        }
        byte[] lines = headers.otherLines();
        if (lines.length > 0 && other.length() <= LONGEST_TEXT) {
            other.append(DecodedBytes.of(lines, null).text()).append('\n');
        }
    }

    private void addText(MailBody body, byte[] encoded) {
        boolean isHtml = body.type().equals("text/html");
        StringBuilder to = isHtml ? html : plain;
        if (to.length() > LONGEST_HTML) {
            isHtmlCut |= isHtml;
            return;
        }
        byte[] bytes = TransferEncoding.named(body.encoding()).decoded(encoded);
        String charset = body.charset();
        if (charset == null && isHtml && !DecodedBytes.isUtf8(bytes)) {
            charset = HtmlText.charset(bytes).orElse(null);
        }
        DecodedBytes text = DecodedBytes.of(bytes, charset);
        if (!text.isExact()) {
            losses.add("text", REPLACED);
        }
        to.append(text.text()).append('\n');
    }

    private String text() {
        boolean isOfHtml = plain.toString().isBlank();
        String body = isOfHtml ? Jsoup.parse(html.toString()).text() : plain.toString();
        String text = (other + body).strip();
        if (text.length() > LONGEST_TEXT || (isOfHtml && isHtmlCut)) {
            losses.add("text", "cut after %,d characters".formatted(LONGEST_TEXT));
        }
        if (text.length() <= LONGEST_TEXT) {
            return text;
        }
        boolean isInside = Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1));
        return text.substring(0, isInside ? LONGEST_TEXT - 1 : LONGEST_TEXT);
    }

    /**
     * Makes headers of lines. The library leaves out lines that are no headers. Here they, and all
     * that follow them, belong to the text.
     */
    private static final class Headers implements FieldBuilder {
        private final DefaultFieldBuilder fields =
                new DefaultFieldBuilder(ImportLimits.MAIL_HEADER_BYTES_MAX);

        private final ByteArrayOutputStream other = new ByteArrayOutputStream();

        /** Whether a line that is no header was read. */
        private boolean isText;

        void begin() {
            other.reset();
            isText = false;
        }

        /** Returns the lines from the first one that is no header; removes them. */
        byte[] otherLines() {
            byte[] lines = other.toByteArray();
            other.reset();
            return lines;
        }

        @Override
        public void reset() {
            fields.reset();
        }

        @Override
        public void append(ByteArrayBuffer line) throws MimeException {
            fields.append(line);
        }

        @Override
        public RawField build() throws MimeException {
            byte[] lines = fields.getRaw().toByteArray();
            if (MboxSeparator.isForm(lines)) {
                // Some programs add a separator to the headers.
                throw new MimeException("a separator");
            }
            try {
                RawField field = fields.build();
                if (isText) {
                    other.writeBytes(lines);
                }
                return field;
            } catch (MimeException e) {
                other.writeBytes(lines);
                // A line with a blank at its start would continue a header, if there were one.
                isText |= lines.length > 0 && lines[0] != ' ' && lines[0] != '\t';
                throw e;
            }
        }

        @Override
        public RecycledByteArrayBuffer getRaw() {
            return fields.getRaw();
        }

        @Override
        public void release() {
            fields.release();
        }
    }
}
