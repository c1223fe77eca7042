package org.crabro.container.mcp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;

/** Converts the arguments of the tool {@code visit} to a path with parameters. */
final class VisitPaths {
    /** Documents of a visit without {@code count}. */
    static final int DEFAULT = 10;

    /** Documents of a visit at most. */
    static final int MOST = 1_000;

    private final List<ContentCluster> clusters;
    private final SelectionTypes types;

    VisitPaths(ApplicationModel model) {
        this.clusters = model.services().contents();
        this.types = Schema.selectable(model.schemas().values());
    }

    /**
     * Returns the path of a visit.
     *
     * @throws InvalidArgumentException if an argument is wrong
     */
    String path(ToolArguments arguments) {
        long count = arguments.whole("count").orElse((long) DEFAULT);
        if (count < 1 || count > MOST) {
            throw new InvalidArgumentException(
                    "count: expected 1 to %,d, but found %d".formatted(MOST, count));
        }
        var url = new StringBuilder("/document/v1/?wantedDocumentCount=" + count);
        url.append("&cluster=").append(encoded(cluster(arguments)));
        String selection = selection(arguments).toString();
        if (!selection.isBlank()) {
            url.append("&selection=").append(encoded(selection));
        }
        arguments
                .text("continuation")
                .ifPresent(value -> url.append("&continuation=").append(encoded(value)));
        return url.toString();
    }

    /**
     * Returns the documents that all arguments select. Each argument is parsed alone, so that none
     * of them changes the meaning of another.
     */
    private Selection selection(ToolArguments arguments) {
        var parts = new ArrayList<Selection>();
        arguments.text("type").ifPresent(type -> parts.add(parsed("type", declaredType(type))));
        arguments
                .text("group")
                .ifPresent(group ->
                        parts.add(
                                parsed(
                                        "group",
                                        "id.group == \"%s\""
                                                .formatted(
                                                        group.replace("\\", "\\\\")
                                                                .replace("\"", "\\\"")))));
        arguments.text("selection").ifPresent(text -> parts.add(parsed("selection", text)));
        try {
            return Selection.allOf(parts, types);
        } catch (InvalidSelectionException e) {
            throw new InvalidArgumentException("selection: " + e.getMessage());
        }
    }

    private Selection parsed(String argument, String text) {
        try {
            return Selection.parse(text, types);
        } catch (InvalidSelectionException e) {
            throw new InvalidArgumentException(argument + ": " + e.getMessage());
        }
    }

    private String declaredType(String type) {
        if (!types.types().containsKey(type)) {
            throw unknown("type", "there is no document type", type, types.types().keySet());
        }
        return type;
    }

    private String cluster(ToolArguments arguments) {
        Optional<String> given = arguments.text("cluster");
        List<String> names = clusters.stream().map(ContentCluster::id).toList();
        if (given.isPresent()) {
            if (!names.contains(given.get())) {
                throw unknown("cluster", "there is no content cluster", given.get(), names);
            }
            return given.get();
        }
        Optional<String> type = arguments.text("type");
        List<String> having =
                clusters.stream()
                        .filter(each -> type.isEmpty() || keeps(each, type.get()))
                        .map(ContentCluster::id)
                        .toList();
        if (having.size() == 1) {
            return having.getFirst();
        }
        type.ifPresent(this::declaredType);
        throw new InvalidArgumentException(
                "cluster: expected one of %s, but found none"
                        .formatted(String.join(", ", having.isEmpty() ? names : having)));
    }

    private static boolean keeps(ContentCluster cluster, String type) {
        return cluster.documents().stream().anyMatch(each -> each.type().equals(type));
    }

    private static InvalidArgumentException unknown(
            String argument, String problem, String name, Iterable<String> candidates) {
        var names = new TreeSet<String>();
        candidates.forEach(names::add);
        return new InvalidArgumentException(
                "%s: %s '%s'; expected one of %s%s"
                        .formatted(
                                argument,
                                problem,
                                name,
                                String.join(", ", names),
                                NearestName.hint(name, names)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
