package org.crabro.client.imports;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.field.address.LenientAddressParser;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.ParserCursor;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteSequence;
import org.apache.james.mime4j.util.ContentUtil;
import org.jspecify.annotations.Nullable;

/** The headers of a mail that become fields of its record. Not thread-safe. */
final class MailFields {
    /** An address with a name after it, as mails of the last century have. */
    private static final Pattern COMMENT =
            Pattern.compile(
                    "(?<![^\\s,;:])([^\\s,;:<>()@]++@[^\\s,;:<>()@]++)\\s{0,9}\\(([^()\\\\]{1,200}+)\\)");

    private @Nullable String messageId;
    private @Nullable String from;
    private @Nullable String subject;
    private @Nullable String date;
    private final List<String> to = new ArrayList<>();
    private final List<String> cc = new ArrayList<>();

    /** Returns the text of a header, with its encoded words as they are. */
    static String text(Field field) {
        ByteSequence raw = field.getRaw();
        if (raw == null) {
            return field.getBody() == null ? "" : field.getBody();
        }
        byte[] bytes = raw.toByteArray();
        int colon = 0;
        while (colon < bytes.length && bytes[colon] != ':') {
            colon++;
        }
        int from = Math.min(colon + 1, bytes.length);
        byte[] value = new byte[bytes.length - from];
        System.arraycopy(bytes, from, value, 0, value.length);
        return HeaderText.unfolded(value);
    }

    /** Adds a header. Of most headers, the first one of a name counts. */
    void add(RawField field) {
        switch (field.getNameLowerCase()) {
            case "message-id" -> messageId = first(messageId, field);
            case "from" -> from = first(from, field);
            case "subject" -> subject = first(subject, field);
            case "date" -> date = first(date, field);
            case "to" -> to.add(text(field));
            case "cc" -> cc.add(text(field));
            default -> {
                // Other headers are not imported.
            }
        }
    }

    private static @Nullable String first(@Nullable String before, Field field) {
        return before == null || before.isBlank() ? text(field) : before;
    }

    /**
     * Returns the fields of the record.
     *
     * @param losses gets what cannot be kept
     */
    Map<String, Object> record(MailReader.Losses losses) {
        Map<String, Object> record = new LinkedHashMap<>();
        put(record, "message_id", messageId);
        if (from != null) {
            List<String> senders = addresses(from);
            if (!senders.isEmpty()) {
                record.put("sender", String.join(", ", senders));
            }
        }
        List<String> recipients = new ArrayList<>();
        to.forEach(each -> recipients.addAll(addresses(each)));
        cc.forEach(each -> recipients.addAll(addresses(each)));
        if (!recipients.isEmpty()) {
            record.put("recipients", recipients);
        }
        put(record, "subject", subject == null ? null : HeaderText.decoded(subject));
        if (date != null && !date.isBlank()) {
            MailDate.parse(date)
                    .ifPresentOrElse(
                            time -> record.put("date", time),
                            () -> losses.add("date", "left out because it is no date"));
        }
        return record;
    }

    private static void put(Map<String, Object> record, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            record.put(name, value.strip());
        }
    }

    private static List<String> addresses(String text) {
        String canonical = HeaderText.canonical(text);
        String named =
                canonical.indexOf('"') < 0 && canonical.indexOf('(') >= 0
                        ? COMMENT.matcher(canonical).replaceAll("\"$2\" <$1>")
                        : canonical;
        ByteSequence bytes = ContentUtil.encode(StandardCharsets.UTF_8, named);
        return LenientAddressParser.DEFAULT
                .parseAddressList(bytes, new ParserCursor(0, bytes.length()))
                .flatten()
                .stream()
                .map(MailFields::shown)
                .filter(each -> !each.isBlank())
                .toList();
    }

    private static String shown(Mailbox mailbox) {
        String address = mailbox.getAddress() == null ? "" : mailbox.getAddress();
        return mailbox.getName() == null || mailbox.getName().isBlank()
                ? address
                : mailbox.getName() + " <" + address + ">";
    }
}
