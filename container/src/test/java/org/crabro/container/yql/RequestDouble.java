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
            case "default", "title", "body", "year" -> FieldKind.WORDS;
            case "actor.login", "repo" -> FieldKind.WHOLE;
            default -> FieldKind.UNKNOWN;
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
