package org.crabro.container.yql;

import java.util.Optional;
import org.crabro.protocol.query.QueryNode;

/** What a statement may ask of the request that it came with. */
public interface QueryContext {
    /** Returns the value of the request parameter that {@code @name} stands for. */
    Optional<String> parameter(String name);

    /** Returns what {@code name} is in the schemas searched. */
    FieldKind fieldKind(String name);

    /** Returns what {@code userQuery()} stands for; nothing where the request has no such text. */
    Optional<QueryNode> userQuery();
}
