package org.crabro.container.yql;

import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements for one application, and keeps what came of some that were read last: those
 * which nothing of their requests decides. For all threads.
 *
 * <p>Holds at most {@link #PLACES} of at most {@link #MAX_CHARS} characters, each at a place that
 * its text decides; a later one takes the place of an earlier.
 */
public final class KeptStatements {
    /** Enough for what programs ask again and again. */
    static final int PLACES = 256;

    /** Longer ones are read each time. */
    static final int MAX_CHARS = 512;

    /** Whoever reads one that another thread wrote sees all of it or none. */
    private final @Nullable Kept[] places = new Kept[PLACES];

    /**
     * @param leaves how often a leaf or a text was counted; each is shorter than the statement
     */
    private record Kept(String text, YqlQuery query, int leaves) {}

    /**
     * Returns what {@code text} says.
     *
     * @param context its {@link QueryContext#fieldKind} and {@link QueryContext#unlisted} answer
     *     the same whenever this is called
     * @throws YqlSyntaxException at the first place that cannot be understood or done
     */
    public YqlQuery parse(String text, QueryContext context) {
        if (text.length() > MAX_CHARS || !context.stems() || !context.language().isEmpty()) {
            return YqlParser.parse(text, context);
        }
        int place = Math.floorMod(text.hashCode(), PLACES);
        Kept kept = places[place];
        if (kept != null && kept.text.equals(text)) {
            for (int i = 0; i < kept.leaves; i++) {
                context.count(0);
            }
            return kept.query;
        }
        var seen = new Seen(context);
        YqlQuery query = YqlParser.parse(text, seen);
        if (!seen.isDecided) {
            places[place] = new Kept(text, query, seen.leaves);
        }
        return query;
    }

    /** Sees what a statement asks of its request: without a language, and with stems. */
    private static final class Seen implements QueryContext {
        private final QueryContext context;
        private int leaves;

        /** Whether something was asked that another request may answer otherwise. */
        private boolean isDecided;

        Seen(QueryContext context) {
            this.context = context;
        }

        @Override
        public Optional<String> parameter(String name) {
            isDecided = true;
            return context.parameter(name);
        }

        @Override
        public FieldKind fieldKind(String name) {
            return context.fieldKind(name);
        }

        @Override
        public Optional<String> unlisted(String name) {
            return context.unlisted(name);
        }

        @Override
        public void count(int chars) {
            leaves++;
            context.count(chars);
        }

        @Override
        public String grammar() {
            isDecided = true;
            return context.grammar();
        }

        @Override
        public Optional<QueryNode> userQuery() {
            isDecided = true;
            return context.userQuery();
        }
    }
}
