package org.crabro.container.yql;

import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/** A request with some parameters, over a schema with a few fields. */
record RequestDouble(Map<String, String> parameters) implements QueryContext {
    static final RequestDouble EMPTY = new RequestDouble(Map.of());

    @Override
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    @Override
    public FieldKind fieldKind(String name) {
        return kind(name);
    }

    static FieldKind kind(String name) {
        return switch (name) {
            case "default", "title", "body", "year", "_own" -> new FieldKind.Words(false);
            case "lines" -> new FieldKind.Words(true);
            case "actor.login", "repo", "sddocname" -> new FieldKind.Whole();
            case "label" -> new FieldKind.Exact(";;");
            case "mark" -> new FieldKind.Exact("");
            default -> new FieldKind.Unknown();
        };
    }

    @Override
    public void count(int chars) {}

    @Override
    public Optional<QueryNode> userQuery() {
        return parameter("query")
                .flatMap(text ->
                        SimpleQueryParser.parse(
                                text, Grammar.DEFAULT, "default", this, TermSettings.DEFAULT));
    }
}
