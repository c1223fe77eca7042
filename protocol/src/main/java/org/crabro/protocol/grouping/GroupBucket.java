package org.crabro.protocol.grouping;

import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A range of values of one type that form one group.
 *
 * @param from the inclusive lower bound; empty for none
 * @param to the exclusive upper bound; empty for none
 */
public record GroupBucket(Optional<GroupValue> from, Optional<GroupValue> to) {
    /** Returns the canonical form. */
    public String text() {
        return "bucket["
                + from.map(GroupBucket::end).orElse("-inf")
                + ", "
                + to.map(GroupBucket::end).orElse("inf")
                + ">";
    }

    /** Returns the id of the group. */
    public GroupId.Range id() {
        GroupId.Kind kind =
                switch (from.or(() -> to).orElseThrow()) {
                    case GroupValue.Real _ -> GroupId.Kind.DOUBLE;
                    case GroupValue.Text _ -> GroupId.Kind.STRING;
                    case GroupValue.Raw _ -> GroupId.Kind.RAW;
                    case GroupValue.Whole _, GroupValue.Truth _, GroupValue.Quantiles _ ->
                            GroupId.Kind.LONG;
                };
        return new GroupId.Range(kind, from, to);
    }

    private static String end(GroupValue value) {
        return switch (value) {
            case GroupValue.Text(String text) -> GroupExpression.quoted(text);
            case GroupValue.Raw(String bytes) ->
                    bytes.chars()
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", ", "{", "}"));
            case GroupValue.Whole _,
                    GroupValue.Real _,
                    GroupValue.Truth _,
                    GroupValue.Quantiles _ ->
                    value.text();
        };
    }
}
