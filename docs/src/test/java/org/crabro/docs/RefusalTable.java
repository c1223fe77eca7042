package org.crabro.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The table of refusals: each message of the code, and why users get it.
 *
 * <p>A line has the stage, the effect, the verdict, the message and the reason, with tabs between
 * them. The lines are in the order of their stages, effects and messages. Lines that begin with
 * {@code #} explain.
 */
record RefusalTable(List<Row> rows) {
    static final String FILE = "refusals.tsv";
    private static final int CELLS = 5;

    /** Reads the table of this module's test resources. */
    static RefusalTable read() throws IOException {
        return of(ResourceLines.of(FILE));
    }

    static RefusalTable of(List<String> lines) {
        return new RefusalTable(
                lines.stream().filter(line -> !line.startsWith("#")).map(Row::of).toList());
    }

    /** Returns what is wrong with the table: lines to add, to remove or to change. */
    List<String> findings(SortedSet<Refusal> code) {
        var findings = new ArrayList<String>();
        Map<Refusal, Row> byRefusal = new TreeMap<>();
        for (Row row : rows) {
            if (byRefusal.put(row.refusal, row) != null) {
                findings.add("remove, it is there twice: " + row);
            }
            row.problem().ifPresent(problem -> findings.add(problem + ": " + row));
        }
        if (!List.copyOf(byRefusal.keySet()).equals(rows.stream().map(Row::refusal).toList())) {
            findings.add("sort the lines by stage, effect and message");
        }
        var added = new TreeSet<>(code);
        added.removeAll(byRefusal.keySet());
        for (Refusal refusal : added) {
            findings.add("add: " + new Row(refusal, Verdict.NOT_REVIEWED, ""));
        }
        for (Row row : byRefusal.values()) {
            if (!code.contains(row.refusal)) {
                findings.add("remove, it is not in the code: " + row);
            }
        }
        return findings;
    }

    long count(Predicate<Row> which) {
        return rows.stream().filter(which).count();
    }

    /** Returns the number of rows by verdict, for each stage and effect. */
    String counts() {
        var text = new StringBuilder("%-18s".formatted("messages"));
        Map<Verdict, StringBuilder> lines = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            lines.put(verdict, new StringBuilder("%-18s".formatted(verdict)));
        }
        for (Refusal.Stage stage : Refusal.Stage.values()) {
            for (Refusal.Effect effect : Refusal.Effect.values()) {
                text.append("%16s".formatted(stage + " " + effect));
                lines.forEach((verdict, line) ->
                        line.append(
                                "%16d"
                                        .formatted(
                                                count(row ->
                                                        row.refusal.stage() == stage
                                                                && row.refusal.effect() == effect
                                                                && row.verdict == verdict))));
            }
        }
        lines.values().forEach(line -> text.append('\n').append(line));
        return text.append('\n').toString();
    }

    /** Why users get a message. */
    enum Verdict {
        /** The reference refuses this, or warns, as well. */
        AS_THE_REFERENCE,
        /** What the reference accepts, and so do we, without effect or with another one. */
        ACCEPTED,
        /** The result would be wrong, and no message would say so. */
        SILENTLY_WRONG,
        /** What the reference has and we do not. */
        NOT_BUILT,
        /** A bound of ours, and what is said at it. */
        LIMIT,
        /** About something that only we have: an extension, an interface of our own. */
        OURS,
        /** Part of a message or a text that refuses nothing. */
        NO_REFUSAL,
        NOT_REVIEWED;

        static Verdict of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A line.
     *
     * @param reason may be empty where the verdict says all
     */
    record Row(Refusal refusal, Verdict verdict, String reason) {
        static Row of(String line) {
            String[] cells = line.split("\t", -1);
            if (cells.length != CELLS) {
                throw new IllegalArgumentException(
                        "%s: expected stage, effect, verdict, message and reason with tabs between them, but found %s"
                                .formatted(FILE, line));
            }
            var refusal =
                    new Refusal(
                            Refusal.Stage.valueOf(cells[0].toUpperCase(Locale.ROOT)),
                            Refusal.Effect.valueOf(cells[1].toUpperCase(Locale.ROOT)),
                            cells[3]);
            return new Row(refusal, Verdict.of(cells[2]), cells[4]);
        }

        /** Returns what contradicts in this row. */
        Optional<String> problem() {
            boolean isRefused = refusal.effect() == Refusal.Effect.REFUSED;
            if (isRefused
                    && verdict == Verdict.NOT_BUILT
                    && !refusal.message().contains("not built")) {
                return Optional.of("the message must say 'not built'");
            }
            if (isRefused && verdict == Verdict.ACCEPTED) {
                return Optional.of("what is refused is not accepted");
            }
            return Optional.empty();
        }

        @Override
        public String toString() {
            return String.join(
                    "\t",
                    refusal.stage().toString(),
                    refusal.effect().toString(),
                    verdict.toString(),
                    refusal.message(),
                    reason);
        }
    }
}
