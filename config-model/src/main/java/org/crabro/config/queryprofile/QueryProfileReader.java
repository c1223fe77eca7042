package org.crabro.config.queryprofile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;
import org.crabro.config.queryprofile.QueryProfile.Body;
import org.crabro.config.queryprofile.QueryProfile.Content;

/** Reads the query profile that is in one file. */
final class QueryProfileReader {
    private final XmlText xml;
    private final Function<String, Optional<XmlElement>> others;
    private final Set<String> permitted;

    /**
     * @param others returns the root element of a profile, by id
     * @param permitted the names of all profiles
     */
    QueryProfileReader(
            XmlText xml, Function<String, Optional<XmlElement>> others, Set<String> permitted) {
        this.xml = xml;
        this.others = others;
        this.permitted = permitted;
    }

    QueryProfile profile(VersionedId id, XmlElement root) {
        QueryProfilesReader.checkAttributes(xml, root, Set.of("id", "type", "inherits"));
        List<String> dimensions = dimensions(root, new HashSet<>());
        var variants = new ArrayList<QueryProfile.Variant>();
        for (XmlElement variant : root.children("query-profile")) {
            QueryProfilesReader.checkAttributes(xml, variant, Set.of("for", "inherits"));
            for (XmlElement child : variant.children()) {
                if (!Set.of("description", "field").contains(child.name())) {
                    xml.warn(
                            child,
                            "unknown element '%s' in a variant is left out; expected description, field"
                                    .formatted(child.name()));
                }
            }
            List<String> values = variantValues(root, variant, dimensions);
            variants.add(new QueryProfile.Variant(values, body(variant)));
        }
        for (XmlElement child : root.children()) {
            var permitted = Set.of("description", "dimensions", "field", "query-profile");
            if (!permitted.contains(child.name())) {
                xml.warn(
                        child,
                        "unknown element '%s' in query-profile is left out; expected %s%s"
                                .formatted(
                                        child.name(),
                                        String.join(", ", new TreeSet<>(permitted)),
                                        NearestName.hint(child.name(), permitted)));
            }
        }
        variants.sort((a, b) -> compare(a.values(), b.values()));
        return new QueryProfile(id, type(root, new HashSet<>()), dimensions, body(root), variants);
    }

    /** Its own dimensions, or those of the first it inherits which has some, depth first. */
    private List<String> dimensions(XmlElement root, Set<XmlElement> seen) {
        List<String> own =
                root.children("dimensions").stream()
                        .flatMap(element -> QueryProfilesReader.split(element.text(), ",").stream())
                        .toList();
        if (!own.isEmpty() || !seen.add(root)) {
            return own;
        }
        return parents(root).stream()
                .flatMap(parent -> others.apply(parent).stream())
                .map(above -> dimensions(above, seen))
                .filter(inherited -> !inherited.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Returns whether this file and all files of inherited profiles are well formed. */
    private boolean isWhole(XmlElement root, Set<XmlElement> seen) {
        return root.file().isWhole()
                && (!seen.add(root)
                        || parents(root).stream()
                                .flatMap(parent -> others.apply(parent).stream())
                                .allMatch(above -> isWhole(above, seen)));
    }

    private static List<String> parents(XmlElement element) {
        return QueryProfilesReader.split(element.attribute("inherits").orElse(""), "[,\\s]+");
    }

    /** Its own type, or that of the first it inherits which has one. */
    private Optional<String> type(XmlElement root, Set<XmlElement> seen) {
        if (root.attribute("type").isPresent() || !seen.add(root)) {
            return root.attribute("type");
        }
        for (String parent : parents(root)) {
            Optional<String> type = others.apply(parent).flatMap(above -> type(above, seen));
            if (type.isPresent()) {
                return type;
            }
        }
        return Optional.empty();
    }

    /** Those with a value where others have any go first, compared from left to right. */
    private static int compare(List<String> a, List<String> b) {
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            boolean anyA = i >= a.size() || a.get(i).equals(QueryProfile.ANY);
            boolean anyB = i >= b.size() || b.get(i).equals(QueryProfile.ANY);
            if (anyA != anyB) {
                return anyA ? 1 : -1;
            }
        }
        return 0;
    }

    private List<String> variantValues(
            XmlElement root, XmlElement variant, List<String> dimensions) {
        Optional<String> values = variant.attribute("for");
        if (values.isEmpty()) {
            xml.problem(variant, "a variant needs for=\"...\", a value for each dimension");
            return List.of();
        }
        if (!isWhole(root, new HashSet<>())) {
            // The dimensions may be in an unreadable part of a file.
            return List.of();
        }
        if (dimensions.isEmpty()) {
            xml.problem(variant, "there are variants, but no dimensions to choose by");
            return List.of();
        }
        List<String> parts = QueryProfilesReader.split(values.get(), ",");
        if (parts.size() > dimensions.size()) {
            xml.problem(
                    variant,
                    "for",
                    "found %d values for %d dimensions: %s"
                            .formatted(
                                    parts.size(),
                                    dimensions.size(),
                                    String.join(", ", dimensions)));
            return List.of();
        }
        return parts;
    }

    private Body body(XmlElement element) {
        List<String> inherits = parents(element);
        for (String parent : inherits) {
            noProfile(parent).ifPresent(problem -> xml.problem(element, "inherits", problem));
        }
        var fields = new LinkedHashMap<String, QueryProfile.Field>();
        for (XmlElement field : element.children("field")) {
            QueryProfilesReader.checkAttributes(xml, field, Set.of("name", "overridable"));
            Optional<String> name = field.attribute("name").filter(text -> !text.isBlank());
            if (name.isEmpty()) {
                xml.problem(field, "field needs a name");
                continue;
            }
            Optional<Boolean> isOverridable = QueryProfilesReader.truth(xml, field, "overridable");
            Optional<Content> content = content(field);
            if (content.isEmpty()) {
                continue;
            }
            var read = new QueryProfile.Field(content.get(), isOverridable);
            // In a file that is not well formed, the fields may belong to different variants.
            if (fields.put(name.get(), read) != null && xml.isWhole()) {
                xml.warn(
                        field,
                        "field '%s' is declared twice: the last one counts".formatted(name.get()));
            }
        }
        return new Body(inherits, fields);
    }

    private Optional<Content> content(XmlElement field) {
        List<XmlElement> references = field.children("ref");
        for (XmlElement child : field.children()) {
            if (!child.name().equals("ref")) {
                xml.warn(
                        child,
                        "unknown element '%s' in field is left out; expected ref"
                                .formatted(child.name()));
            }
        }
        if (references.size() > 1) {
            xml.problem(references.get(1), "a field refers to one profile");
            return Optional.empty();
        }
        if (references.size() == 1) {
            String id = references.getFirst().text();
            noProfile(id).ifPresent(problem -> xml.problem(references.getFirst(), problem));
            if (!field.text().isEmpty()) {
                xml.problem(
                        field,
                        "a field has either a text or a reference; found '%s' and the reference to '%s'"
                                .formatted(field.text(), id));
            }
            return Optional.of(new Content.Reference(id));
        }
        try {
            return Optional.of(new Content.Text(TextTemplate.parse(field.text())));
        } catch (IllegalArgumentException e) {
            xml.problem(field, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<String> noProfile(String id) {
        return others.apply(id).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "there is no query profile '%s'%s"
                                .formatted(id, NearestName.hint(id, permitted)));
    }
}
