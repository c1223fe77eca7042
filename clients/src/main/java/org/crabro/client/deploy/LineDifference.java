package org.crabro.client.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The difference of two texts, line by line, with few lines before and after each change. It is the
 * shortest one, found with the algorithm of Myers.
 */
public final class LineDifference {
    /** More changed lines are not compared. */
    static final int CHANGES_MAX = 1_000;

    private static final int CONTEXT = 2;

    private final List<String> before;
    private final List<String> after;

    /** The line of {@code after} that each line of {@code before} is; -1 if it is removed. */
    private final int[] partner;

    private LineDifference(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
        this.partner = new int[before.size()];
        Arrays.fill(partner, -1);
    }

    /**
     * Returns the changed lines with {@code -} or {@code +} before them, and those next to them
     * with a blank; none if the texts are equal. If there are more than {@value #CHANGES_MAX}
     * changes, all lines are removed and added.
     */
    public static List<String> lines(String before, String after) {
        var difference = new LineDifference(before.lines().toList(), after.lines().toList());
        difference.match();
        return difference.shown();
    }

    private void match() {
        int n = before.size();
        int m = after.size();
        int bound = Math.min(n + m, CHANGES_MAX);
        int[] furthest = new int[2 * bound + 3];
        List<int[]> rounds = new ArrayList<>();
        for (int changes = 0; changes <= bound; changes++) {
            rounds.add(Arrays.copyOfRange(furthest, bound - changes, bound + changes + 3));
            for (int k = -changes; k <= changes; k += 2) {
                boolean isDown =
                        k == -changes
                                || (k != changes
                                        && at(furthest, bound, k - 1) < at(furthest, bound, k + 1));
                int x = isDown ? at(furthest, bound, k + 1) : at(furthest, bound, k - 1) + 1;
                int y = x - k;
                while (x < n && y < m && before.get(x).equals(after.get(y))) {
                    x++;
                    y++;
                }
                furthest[bound + 1 + k] = x;
                if (x >= n && y >= m) {
                    trace(rounds);
                    return;
                }
            }
        }
    }

    private static int at(int[] furthest, int bound, int k) {
        return furthest[bound + 1 + k];
    }

    /** Goes the way back, and pairs the lines that are equal on it. */
    private void trace(List<int[]> rounds) {
        int x = before.size();
        int y = after.size();
        for (int changes = rounds.size() - 1; changes >= 0; changes--) {
            // The middle of a copy is that of diagonal 0.
            int[] furthest = rounds.get(changes);
            int middle = changes + 1;
            int k = x - y;
            boolean isDown =
                    k == -changes
                            || (k != changes
                                    && furthest[middle + k - 1] < furthest[middle + k + 1]);
            int fromK = isDown ? k + 1 : k - 1;
            int fromX = changes == 0 ? 0 : furthest[middle + fromK];
            int fromY = changes == 0 ? 0 : fromX - fromK;
            while (x > fromX && y > fromY && x > 0 && y > 0) {
                x--;
                y--;
                partner[x] = y;
            }
            x = fromX;
            y = fromY;
        }
    }

    private List<String> shown() {
        List<String> all = new ArrayList<>();
        int y = 0;
        for (int x = 0; x <= before.size(); x++) {
            int end = x < before.size() ? partner[x] : after.size();
            if (end < 0) {
                all.add("-" + before.get(x));
                continue;
            }
            for (; y < end; y++) {
                all.add("+" + after.get(y));
            }
            if (x < before.size()) {
                all.add(" " + before.get(x));
                y++;
            }
        }
        return nearChanges(all);
    }

    private static List<String> nearChanges(List<String> all) {
        List<String> shown = new ArrayList<>();
        @Nullable Integer last = null;
        for (int i = 0; i < all.size(); i++) {
            int from = Math.max(0, i - CONTEXT);
            int to = Math.min(all.size(), i + CONTEXT + 1);
            if (all.subList(from, to).stream().anyMatch(line -> !line.startsWith(" "))) {
                if (last != null && last < i - 1) {
                    shown.add(" ...");
                }
                shown.add(all.get(i));
                last = i;
            }
        }
        return shown;
    }
}
