package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.grouping.GroupPage;

/**
 * Pages of groups as text: what a result says of its lists, and a request gives back.
 *
 * <pre>
 *   continuation := { record }
 *   record       := count { step } tag offset flags
 * </pre>
 *
 * All are whole numbers: doubled, the sign as the last bit, and written as the count of their
 * hexadecimal digits and the digits themselves, with letters from A for 0 to P for 15. The steps
 * are {@link GroupPage#path()}. Flag 1 says that a list moves, so that the lists in it begin anew.
 */
public final class GroupingContinuation {
    private static final int UNSTABLE = 1;

    /** No list lies deeper. */
    private static final int STEPS_MAX = 1_000;

    private GroupingContinuation() {}

    /** Returns a page as text: where a list is, or where it may go next. */
    public static String text(GroupPage page, boolean moves) {
        var text = new StringBuilder();
        append(text, page.path().size());
        page.path().forEach(step -> append(text, step));
        append(text, page.tag());
        append(text, page.offset());
        append(text, moves ? UNSTABLE : 0);
        return text.toString();
    }

    private static void append(StringBuilder text, int number) {
        long doubled = (((long) number << 1) ^ (number >> 31)) & 0xFFFF_FFFFL;
        String digits = doubled == 0 ? "" : Long.toHexString(doubled);
        text.append(letter(digits.length()));
        digits.chars().forEach(digit -> text.append(letter(Character.digit(digit, 16))));
    }

    private static char letter(int value) {
        return (char) ('A' + value);
    }

    /**
     * Returns the pages that continuations ask for, those of a result first and where to go from
     * there behind.
     *
     * @throws IllegalQueryException if one of them is none
     */
    static List<GroupPage> pages(List<String> continuations) {
        var pages = new ArrayList<GroupPage>();
        for (String text : continuations) {
            var reader = new Reader(text);
            while (!reader.isAtEnd()) {
                reader.record(pages);
            }
        }
        return pages;
    }

    /** Reads the records of one continuation. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        boolean isAtEnd() {
            return at == text.length();
        }

        void record(List<GroupPage> pages) {
            int count = number();
            if (count < 0 || count > STEPS_MAX) {
                throw invalid();
            }
            var path = new ArrayList<Integer>();
            for (int i = 0; i < count; i++) {
                path.add(number());
            }
            var page = new GroupPage(path, number(), number());
            boolean moves = (number() & UNSTABLE) != 0;
            if (page.offset() < 0) {
                throw invalid();
            }
            pages.removeIf(known -> isReplaced(known, page, moves));
            pages.add(page);
        }

        private static boolean isReplaced(GroupPage known, GroupPage by, boolean moves) {
            List<Integer> path = by.path();
            boolean inside =
                    known.path().size() >= path.size()
                            && known.path().subList(0, path.size()).equals(path);
            return inside && (moves || (known.path().equals(path) && known.tag() == by.tag()));
        }

        private int number() {
            int digits = letter().orElseThrow(this::invalid);
            if (digits > 8) {
                throw invalid();
            }
            long doubled = 0;
            for (int i = 0; i < digits; i++) {
                doubled = doubled * 16 + letter().orElseThrow(this::invalid);
            }
            return (int) ((doubled >>> 1) ^ -(doubled & 1));
        }

        private Optional<Integer> letter() {
            if (isAtEnd() || text.charAt(at) < 'A' || text.charAt(at) > 'P') {
                return Optional.empty();
            }
            return Optional.of(text.charAt(at++) - 'A');
        }

        private IllegalQueryException invalid() {
            return new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, "'" + text + "' is no continuation of a result");
        }
    }
}
