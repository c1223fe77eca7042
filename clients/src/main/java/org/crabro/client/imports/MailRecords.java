package org.crabro.client.imports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.dom.address.AddressList;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.MimeConfig;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;

/**
 * The mails of a mailbox, with sender, recipients, subject, date, message id, text and names of
 * attachments. Of a mail with plain text and HTML, the plain text is the text.
 */
final class MailRecords implements RecordReader {
    private static final int LONGEST_MAIL = 64 << 20;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int LONGEST_HTML = 8 << 20;

    private static final MimeConfig CONFIG =
            MimeConfig.copy(MimeConfig.PERMISSIVE)
                    .setMaxHeaderCount(ImportLimits.MAIL_HEADERS_MAX)
                    .setMaxHeaderLen(ImportLimits.MAIL_HEADER_BYTES_MAX)
                    .build();

    private final Path file;
    private final MboxSplitter mails;
    private final InputStream in;
    private final ImportLosses losses;
    private final DefaultMessageBuilder builder = new DefaultMessageBuilder();
    private long number;

    private MailRecords(Path file, InputStream in, ImportLosses losses) {
        this.file = file;
        this.losses = losses;
        this.in = in;
        this.mails = new MboxSplitter(in, LONGEST_MAIL);
        builder.setMimeEntityConfig(CONFIG);
    }

    static MailRecords open(Path file, ImportLosses losses) throws IOException {
        return new MailRecords(file, Files.newInputStream(file), losses);
    }

    @Override
    public String place() {
        return String.format(Locale.ROOT, "mail %,d", number);
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        Optional<byte[]> mail;
        try {
            mail = mails.next();
        } catch (IOException e) {
            throw new IOException(file + " is no mailbox: " + e.getMessage(), e);
        }
        if (mail.isEmpty()) {
            return Optional.empty();
        }
        number++;
        if (mails.isCut()) {
            losses.add("text", "mails cut after %,d bytes".formatted(LONGEST_MAIL), place());
        }
        try {
            MailParts.check(mail.get(), CONFIG);
            return Optional.of(record(builder.parseMessage(new ByteArrayInputStream(mail.get()))));
        } catch (IOException e) {
            throw new IOException("%s, mail %d: %s".formatted(file, number, e.getMessage()), e);
        }
    }

    private Map<String, Object> record(Message message) throws IOException {
        try {
            Map<String, Object> record = new LinkedHashMap<>();
            put(record, "message_id", message.getMessageId());
            if (message.getFrom() != null && !message.getFrom().isEmpty()) {
                record.put(
                        "sender",
                        message.getFrom().stream()
                                .map(MailRecords::shown)
                                .collect(Collectors.joining(", ")));
            }
            List<String> recipients = new ArrayList<>(addresses(message.getTo()));
            recipients.addAll(addresses(message.getCc()));
            if (!recipients.isEmpty()) {
                record.put("recipients", recipients);
            }
            put(record, "subject", message.getSubject());
            if (message.getDate() != null) {
                record.put("date", message.getDate().toInstant());
            } else if (message.getHeader().getField("Date") != null) {
                losses.add("date", "left out, because it is no date of mails", place());
            }
            var parts = new Parts();
            parts.add(message);
            record.put("text", parts.text());
            parts.cuts.forEach(cut -> losses.add("text", cut, place()));
            if (!parts.attachments.isEmpty()) {
                record.put("attachments", parts.attachments);
            }
            return record;
        } finally {
            message.dispose();
        }
    }

    private static void put(Map<String, Object> record, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            record.put(name, value);
        }
    }

    private static List<String> addresses(@Nullable AddressList list) {
        return list == null ? List.of() : list.flatten().stream().map(MailRecords::shown).toList();
    }

    private static String shown(Mailbox mailbox) {
        return mailbox.getName() == null
                ? mailbox.getAddress()
                : mailbox.getName() + " <" + mailbox.getAddress() + ">";
    }

    /** The texts and the attachments of a mail. */
    private static final class Parts {
        private final StringBuilder plain = new StringBuilder();
        private final StringBuilder html = new StringBuilder();
        private final List<String> attachments = new ArrayList<>();

        /** What is missing in the text. */
        private final Set<String> cuts = new LinkedHashSet<>();

        void add(Entity entity) throws IOException {
            Body body = entity.getBody();
            String name = entity.getFilename();
            if (name != null && !name.isBlank()) {
                attachments.add(name);
            } else if (body instanceof Multipart multipart) {
                for (Entity part : multipart.getBodyParts()) {
                    add(part);
                }
            } else if (body instanceof Message message) {
                add(message);
            } else if (body instanceof TextBody text) {
                StringBuilder to = entity.getMimeType().equals("text/html") ? html : plain;
                if (to.length() > LONGEST_HTML) {
                    cuts.add("parts left out after %,d characters".formatted(LONGEST_HTML));
                    return;
                }
                try (Reader reader = text.getReader()) {
                    var all = new StringWriter();
                    reader.transferTo(all);
                    to.append(all.getBuffer()).append('\n');
                }
            }
        }

        String text() {
            String text =
                    plain.toString().isBlank()
                            ? Jsoup.parse(html.toString()).text()
                            : plain.toString().strip();
            if (text.length() <= LONGEST_TEXT) {
                return text;
            }
            cuts.add("cut after %,d characters".formatted(LONGEST_TEXT));
            // No half of a pair of surrogates is left.
            return text.substring(
                    0,
                    Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1))
                            ? LONGEST_TEXT - 1
                            : LONGEST_TEXT);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
