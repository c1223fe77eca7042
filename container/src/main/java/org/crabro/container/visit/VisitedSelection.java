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
        var parts = new ArrayList<String>();
        // An empty part is left out, so that nodes evaluate nothing for it.
        given.filter(text -> !text.isBlank() && !text.strip().equals("true"))
                .ifPresent(text -> {
                    // Parsed alone first: it must not close a parenthesis of ours, and positions in
                    // errors refer to the client's text.
                    parse(() -> Selection.parse(text, types));
                    parts.add(text);
                });
        if (path instanceof DocumentPath.Range range) {
            parts.add(namespace(range));
            location(range).ifPresent(parts::add);
        }
        String both = parts.isEmpty() ? "" : conjunction(parts);
        return parse(() -> Selection.parseConjunction(both, types));
    }

    /** Returns the selection of the documents of a path in other namespaces. */
    static Selection others(DocumentPath.Range path, SelectionTypes types) {
        var parts = new ArrayList<>(List.of("not " + namespace(path)));
        location(path).ifPresent(parts::add);
        return parse(() -> Selection.parseConjunction(conjunction(parts), types));
    }

    private static String namespace(DocumentPath.Range range) {
        return "id.namespace=='" + escaped(range.namespace()) + "'";
    }

    private static Optional<String> location(DocumentPath.Range range) {
        return switch (range.key()) {
            case LocationKey.Group(String name) -> Optional.of("id.group=='" + escaped(name) + "'");
            // Numbers of selections are signed; they compare these ids by the same 64 bits.
            case LocationKey.Numbered(long number) -> Optional.of("id.user==" + number);
            case LocationKey.Plain() -> Optional.empty();
        };
    }

    private static String conjunction(List<String> parts) {
        return parts.size() == 1 ? parts.getFirst() : "(" + String.join(") and (", parts) + ")";
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
