package org.crabro.container.visit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.LocationKey;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;

/** Combines the selection of a request with its path. */
final class VisitedSelection {
    private VisitedSelection() {}

    /**
     * Returns the selection of documents that match both. The type of the path is not part of it,
     * because other types are not visited.
     *
     * @throws InvalidRequestException if {@code given} is not a valid selection of these types
     */
    static Selection of(Optional<String> given, DocumentPath path, SelectionTypes types) {
        return parse(() -> {
            var parts = new ArrayList<Selection>();
            // An empty part is left out, so that nodes evaluate nothing for it.
            given.filter(text -> !text.isBlank() && !text.strip().equals("true"))
                    .ifPresent(text -> parts.add(Selection.parse(text, types)));
            if (path instanceof DocumentPath.Range range) {
                parts.add(namespace(range, types));
                location(range, types).ifPresent(parts::add);
            }
            return Selection.allOf(parts, types);
        });
    }

    /** Returns the selection of the documents of a path in other namespaces. */
    static Selection others(DocumentPath.Range path, SelectionTypes types) {
        return parse(() -> {
            var parts = new ArrayList<>(List.of(namespace(path, types).negated()));
            location(path, types).ifPresent(parts::add);
            return Selection.allOf(parts, types);
        });
    }

    private static Selection namespace(DocumentPath.Range range, SelectionTypes types) {
        return Selection.parse("id.namespace=='" + escaped(range.namespace()) + "'", types);
    }

    private static Optional<Selection> location(DocumentPath.Range range, SelectionTypes types) {
        return switch (range.key()) {
            case LocationKey.Group(String name) -> Optional.of(ofGroup(name, types));
            // Numbers of selections are signed; they compare these ids by the same 64 bits.
            case LocationKey.Numbered(long number) ->
                    Optional.of(Selection.parse("id.user==" + number, types));
            case LocationKey.Plain() -> Optional.empty();
        };
    }

    /** Returns the selection of the documents of a group. */
    static Selection ofGroup(String name, SelectionTypes types) {
        return Selection.parse("id.group=='" + escaped(name) + "'", types);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("'", "\\'");
    }

    private static Selection parse(Supplier<Selection> parsing) {
        try {
            return parsing.get();
        } catch (InvalidSelectionException e) {
            throw DocumentParameters.invalid("the selection cannot be used: " + e.getMessage());
        }
    }
}
