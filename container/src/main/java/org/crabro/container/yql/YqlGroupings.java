package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.grouping.GroupingOperation;

/**
 * Parses the groupings at the end of a YQL statement.
 *
 * <pre>
 *   groupings   := grouping { "|" grouping } [ ";" ]
 *   grouping    := [ annotations | "[" annotations "]" ] request
 *   annotations := "{" "continuations" ":" "[" [ token { "," token } ] "]" "}"
 *   token       := string | "@" name
 * </pre>
 *
 * {@link GroupingParser} has the rest.
 */
final class YqlGroupings {
    private static final int GROUPINGS_MAX = 100;

    private final GroupingReader in;
    private final QueryContext context;

    private YqlGroupings(GroupingReader in, QueryContext context) {
        this.in = in;
        this.context = context;
    }

    /**
     * Parses the text from {@code start} to the end.
     *
     * @throws YqlSyntaxException at the first error
     */
    static List<YqlGrouping> parse(String text, int start, QueryContext context) {
        var in = new GroupingReader("query from YQL: query", text, start);
        return new YqlGroupings(in, context).groupings();
    }

    private List<YqlGrouping> groupings() {
        var groupings = new ArrayList<YqlGrouping>();
        do {
            if (groupings.size() == GROUPINGS_MAX) {
                throw in.errorAt(in.offset(), "more than " + GROUPINGS_MAX + " groupings");
            }
            List<String> continuations = continuations();
            GroupingOperation operation = new GroupingParser(in).request();
            groupings.add(new YqlGrouping(operation, continuations, in.takeNotes()));
        } while (in.take('|'));
        in.take(';');
        if (!in.isAtEnd()) {
            throw in.unexpected("'|' or the end of the statement");
        }
        return groupings;
    }

    private List<String> continuations() {
        if (in.take('[')) {
            List<String> continuations = annotations();
            in.expect(']');
            return continuations;
        }
        return in.is('{') ? annotations() : List.of();
    }

    private List<String> annotations() {
        in.expect('{');
        int start = in.offset();
        String name = in.isString() ? in.string("a name") : in.name("'continuations'");
        if (!name.equals("continuations")) {
            throw in.errorAt(start, "expected 'continuations', got '" + name + "'");
        }
        in.expect(':');
        in.expect('[');
        var tokens = new ArrayList<String>();
        while (!in.is(']')) {
            tokens.add(token());
            if (!in.take(',') && !in.is(']')) {
                throw in.unexpected("',' or ']'");
            }
        }
        in.expect(']');
        in.expect('}');
        return tokens;
    }

    private String token() {
        int start = in.offset();
        if (!in.is('@')) {
            return in.string("a continuation in quotes or a parameter");
        }
        String name = in.name("a parameter").substring(1);
        return context.parameter(name)
                .orElseThrow(
                        () -> in.errorAt(start, "there is no request parameter '" + name + "'"));
    }
}
