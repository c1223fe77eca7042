package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.grouping.GroupPage;

/**
 * Pages of groups as text. A result contains them for its lists, and the next request sends them.
 *
 * <pre>
 *   continuation := { record }
 *   record       := count { step } tag offset flags
 * </pre>
 *
 * All are whole numbers in zigzag encoding: doubled, with the sign in the last bit. A number is the
 * count of its hexadecimal digits and the digits, written with letters from A for 0 to P for 15.
 * The steps are {@link GroupPage#path()}. Flag 1 means that a list moves, so that the lists inside
 * it start at their first page.
 */
public final class GroupingContinuation {
    private static final int UNSTABLE = 1;

    /** The deepest nesting of lists. */
    private static final int STEPS_MAX = 1_000;

    private GroupingContinuation() {}

    /** Returns a page as text. */
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
     * Returns the pages of continuations. A later page of a list replaces an earlier one.
     *
     * @throws IllegalQueryException if one of them is not well formed
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
            pages.removeIf(earlier -> isReplaced(earlier, page, moves));
            pages.add(page);
        }

        private static boolean isReplaced(GroupPage other, GroupPage by, boolean moves) {
            List<Integer> path = by.path();
            boolean inside =
                    other.path().size() >= path.size()
                            && other.path().subList(0, path.size()).equals(path);
            return inside && (moves || (other.path().equals(path) && other.tag() == by.tag()));
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
