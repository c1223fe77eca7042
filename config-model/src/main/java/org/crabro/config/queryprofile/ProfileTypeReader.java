package org.crabro.config.queryprofile;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/** Reads one query profile type from its file, with the types that it inherits. */
final class ProfileTypeReader {
    private static final Set<String> CHILDREN = Set.of("description", "match", "strict", "field");

    private static final Set<String> TYPES =
            Set.of(
                    "string",
                    "query",
                    "integer",
                    "long",
                    "float",
                    "double",
                    "boolean",
                    "query-profile");

    private final XmlText xml;
    private final Function<String, Optional<XmlElement>> others;
    private final Set<String> permitted;

    /**
     * @param others returns the root element of a type, by id
     * @param permitted the names of all types
     */
    ProfileTypeReader(
            XmlText xml, Function<String, Optional<XmlElement>> others, Set<String> permitted) {
        this.xml = xml;
        this.others = others;
        this.permitted = permitted;
    }

    QueryProfileType type(XmlElement root) {
        QueryProfilesReader.checkAttributes(xml, root, Set.of("id", "inherits"));
        for (XmlElement child : root.children()) {
            if (!CHILDREN.contains(child.name())) {
                xml.warn(
                        child,
                        "unknown element '%s' in query-profile-type is left out; expected %s%s"
                                .formatted(
                                        child.name(),
                                        String.join(", ", new TreeSet<>(CHILDREN)),
                                        NearestName.hint(child.name(), CHILDREN)));
            } else if (!child.name().equals("field")) {
                boolean isMatch = child.name().equals("match");
                QueryProfilesReader.checkAttributes(
                        xml, child, isMatch ? Set.of("path") : Set.of());
                if (isMatch) {
                    QueryProfilesReader.truth(xml, child, "path");
                }
            }
        }
        checkNames(root);
        var gathered = new Gathered();
        gather(root, root, gathered, new TreeSet<>());
        return new QueryProfileType(
                root.attribute("id").orElseThrow(),
                gathered.ids,
                gathered.isStrict,
                gathered.matchesPath,
                gathered.isNative,
                gathered.fields);
    }

    private void checkNames(XmlElement root) {
        var seen = new HashSet<String>();
        for (XmlElement field : root.children("field")) {
            Optional<String> name = field.attribute("name");
            if (name.isPresent() && !seen.add(name.get())) {
                xml.problem(field, "name", "field '" + name.get() + "' is declared twice");
            }
        }
    }

    /** The declarations of a type and its parents, its own first. */
    private static final class Gathered {
        final Set<String> ids = new HashSet<>();
        boolean isStrict;
        boolean matchesPath;
        boolean isNative;
        final Map<String, QueryProfileType.Field> fields = new LinkedHashMap<>();
    }

    private void gather(XmlElement own, XmlElement element, Gathered into, Set<String> seen) {
        if (!seen.add(element.attribute("id").orElse(""))) {
            xml.problem(
                    own,
                    "inherits",
                    "query profile type '%s' inherits itself"
                            .formatted(own.attribute("id").orElse("")));
            return;
        }
        into.ids.add(element.attribute("id").orElse(""));
        into.isStrict |= !element.children("strict").isEmpty();
        into.matchesPath |=
                element.children("match").stream()
                        .anyMatch(match -> match.attribute("path").equals(Optional.of("true")));
        for (XmlElement field : element.children("field")) {
            field(field, own.equals(element))
                    .ifPresent(read -> into.fields.putIfAbsent(read.name(), read));
        }
        for (String parent :
                QueryProfilesReader.split(element.attribute("inherits").orElse(""), "[,\\s]+")) {
            Optional<XmlElement> parentElement = others.apply(parent);
            Optional<QueryProfileType> builtIn = BuiltInTypes.named(parent);
            if (parentElement.isPresent()) {
                gather(own, parentElement.get(), into, seen);
            } else if (builtIn.isPresent()) {
                into.isNative |= builtIn.get().isNative();
                into.ids.add(parent);
                builtIn.get().fields().forEach(into.fields::putIfAbsent);
            } else if (own.equals(element)) {
                xml.problem(
                        own,
                        "inherits",
                        "there is no query profile type '%s'%s"
                                .formatted(parent, NearestName.hint(parent, withBuiltIn())));
            }
        }
        seen.remove(element.attribute("id").orElse(""));
    }

    /**
     * @param isOwn whether the field is declared in this file; only then its problems are reported
     */
    private Optional<QueryProfileType.Field> field(XmlElement field, boolean isOwn) {
        Optional<String> name = field.attribute("name");
        Optional<String> type = field.attribute("type");
        Optional<ValueType> read = type.flatMap(ValueType::of);
        if (isOwn) {
            QueryProfilesReader.checkAttributes(
                    xml,
                    field,
                    Set.of("name", "type", "mandatory", "overridable", "alias", "description"));
            if (name.isEmpty()) {
                xml.problem(field, "field needs a name");
            }
            if (read.isEmpty()) {
                xml.problem(
                        field,
                        type.isPresent()
                                ? "unknown type '%s'; expected string, query, integer, long, float,"
                                                .formatted(type.get())
                                        + " double, boolean, tensor(...), query-profile or"
                                        + " query-profile:type"
                                        + NearestName.hint(type.get(), TYPES)
                                : "field needs a type");
            } else if (read.get() instanceof ValueType.Profile(Optional<String> of)
                    && of.isPresent()
                    && others.apply(of.get()).isEmpty()
                    && BuiltInTypes.named(of.get()).isEmpty()) {
                xml.problem(
                        field,
                        "type",
                        "there is no query profile type '%s'%s"
                                .formatted(of.get(), NearestName.hint(of.get(), withBuiltIn())));
            }
        }
        if (name.isEmpty() || read.isEmpty()) {
            return Optional.empty();
        }
        List<String> aliases =
                QueryProfilesReader.split(field.attribute("alias").orElse(""), "[,\\s]+");
        return Optional.of(
                new QueryProfileType.Field(
                        name.get(),
                        read.get(),
                        isOwn
                                ? QueryProfilesReader.truth(xml, field, "mandatory").orElse(false)
                                : field.attribute("mandatory").equals(Optional.of("true")),
                        isOwn
                                ? QueryProfilesReader.truth(xml, field, "overridable").orElse(true)
                                : !field.attribute("overridable").equals(Optional.of("false")),
                        aliases));
    }

    private Set<String> withBuiltIn() {
        var all = new HashSet<>(permitted);
        all.addAll(BuiltInTypes.all().keySet());
        return all;
    }
}
