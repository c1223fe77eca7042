package org.crabro.client.chats;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages of a chat that WhatsApp has exported as text. Not thread-safe.
 *
 * <pre>
 *   message := [ "[" ] date [ "," ] " " time ( "]" | " -" ) " " [ sender ": " ] text
 *   date    := three numbers with dots, slashes or dashes; the order is that of the phone
 *   time    := hours and minutes, maybe seconds, maybe AM or PM
 * </pre>
 *
 * <p>Other lines continue the message before them. A message without a sender is one of the
 * program. Times have no zone, and are taken as UTC.
 */
public final class ChatText {
    private static final Pattern MESSAGE =
            Pattern.compile(
                    "\\u200e?\\[?(\\d{1,4})([./-])(\\d{1,2})\\2(\\d{1,4}),? (\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?"
                            + "(?:[\\u202f\\u00a0 ]?([AaPp])\\.?[\\u202f\\u00a0 ]?[Mm]\\.?)?(?:\\]| -) (.*)");

    /** So many lines show whether a text is a chat. */
    private static final int LINES_SHOWN = 20;

    private static final int SENDER_MAX = 200;

    private final String text;
    private final BiConsumer<String, String> losses;
    private final Order order;
    private int at;
    private int line;
    private int messageLine;

    /** The order of the numbers of dates. */
    private enum Order {
        YEAR_FIRST,
        DAY_FIRST,
        MONTH_FIRST,
        /** No number shows it. It is read as day first. */
        UNSURE
    }

    /**
     * @param text the whole file
     * @param losses gets the field and what happens to a value that is not kept as it is given
     */
    public ChatText(String text, BiConsumer<String, String> losses) {
        this.text = text;
        this.losses = losses;
        this.order = order(text);
    }

    /** Returns whether a text is a chat: most of its first lines begin messages. */
    public static boolean isChat(String text) {
        long lines = text.lines().limit(LINES_SHOWN).filter(each -> !each.isBlank()).count();
        long messages = text.lines().limit(LINES_SHOWN).filter(ChatText::isMessage).count();
        return messages > 0
                && 2 * messages > lines
                && isMessage(text.lines().findFirst().orElse(""));
    }

    private static boolean isMessage(String line) {
        return MESSAGE.matcher(line).matches();
    }

    private static Order order(String text) {
        boolean isDay = false;
        boolean isMonth = false;
        boolean isYear = false;
        boolean hasDots = true;
        boolean isTwelve = false;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            Matcher message = MESSAGE.matcher(line);
            if (message.matches()) {
                isYear |= message.group(1).length() == 4;
                isDay |= Integer.parseInt(message.group(1)) > 12;
                isMonth |= Integer.parseInt(message.group(3)) > 12;
                hasDots &= message.group(2).equals(".");
                isTwelve |= message.group(8) != null;
            }
        }
        if (isYear) {
            return Order.YEAR_FIRST;
        }
        if (isDay != isMonth) {
            return isDay ? Order.DAY_FIRST : Order.MONTH_FIRST;
        }
        // Dates with dots begin with the day in all languages.
        return hasDots && !isTwelve ? Order.DAY_FIRST : Order.UNSURE;
    }

    /** Returns the line in which the last message begins. */
    public int line() {
        return messageLine;
    }

    /** Returns the next message; empty at the end. */
    public Optional<Map<String, Object>> next() {
        while (at < text.length()) {
            String first = physical();
            Matcher message = MESSAGE.matcher(first);
            if (message.matches()) {
                messageLine = line;
                return Optional.of(record(message));
            }
            if (!first.isBlank()) {
                messageLine = line;
                losses.accept("text", "lines before the first message left out");
            }
        }
        return Optional.empty();
    }

    private Map<String, Object> record(Matcher message) {
        var body = new StringBuilder(message.group(9));
        while (at < text.length()) {
            int before = at;
            int lineBefore = line;
            String more = physical();
            if (isMessage(more)) {
                at = before;
                line = lineBefore;
                break;
            }
            body.append('\n').append(more);
        }
        Map<String, Object> record = new LinkedHashMap<>();
        date(message)
                .ifPresentOrElse(
                        time -> record.put("date", time.toInstant(ZoneOffset.UTC)),
                        () -> losses.accept("date", "left out because it is no date"));
        String whole = body.toString().replace("\u200e", "").strip();
        int colon = whole.indexOf(": ");
        int firstEnd = whole.indexOf('\n');
        if (colon > 0 && colon <= SENDER_MAX && (firstEnd < 0 || colon < firstEnd)) {
            record.put("sender", whole.substring(0, colon));
            whole = whole.substring(colon + 2);
        }
        record.put("text", whole);
        return record;
    }

    private Optional<LocalDateTime> date(Matcher message) {
        int a = Integer.parseInt(message.group(1));
        int b = Integer.parseInt(message.group(3));
        int c = Integer.parseInt(message.group(4));
        int hour = Integer.parseInt(message.group(5));
        if (message.group(8) != null) {
            hour = hour % 12 + (message.group(8).equalsIgnoreCase("p") ? 12 : 0);
        }
        int minute = Integer.parseInt(message.group(6));
        int second = message.group(7) == null ? 0 : Integer.parseInt(message.group(7));
        if (order == Order.UNSURE) {
            losses.accept(
                    "date", "read as day, month, year, although no date of the file shows it");
        }
        try {
            return Optional.of(
                    switch (order) {
                        case YEAR_FIRST -> LocalDateTime.of(a, b, c, hour, minute, second);
                        case MONTH_FIRST -> LocalDateTime.of(year(c), a, b, hour, minute, second);
                        case DAY_FIRST, UNSURE ->
                                LocalDateTime.of(year(c), b, a, hour, minute, second);
                    });
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static int year(int given) {
        return given < 100 ? 2000 + given : given;
    }

    private String physical() {
        int end = text.indexOf('\n', at);
        int last = end < 0 ? text.length() : end;
        String physical =
                text.substring(at, last > at && text.charAt(last - 1) == '\r' ? last - 1 : last);
        at = end < 0 ? text.length() : end + 1;
        line++;
        return physical;
    }
}
