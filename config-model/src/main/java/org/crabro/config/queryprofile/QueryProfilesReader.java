package org.crabro.config.queryprofile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;
import org.crabro.config.queryprofile.QueryProfile.Body;
import org.crabro.config.queryprofile.QueryProfile.Content;

/** Reads the query profiles of a package and their types. Reports problems with their positions. */
public final class QueryProfilesReader {
    private static final String PROFILES = "search/query-profiles/";
    private static final String TYPES = "search/query-profiles/types/";
    private static final String XML = ".xml";

    /** The maximum number of elements and attributes of all profiles and types. */
    private static final int NODES_MAX = 500_000;

    /** The elements that are read one by one if a file is not well formed. */
    private static final Set<String> SECTIONS = Set.of("field", "query-profile");

    private final ApplicationFiles files;
    private final ApplicationName name;
    private final Findings findings;
    private final SortedMap<VersionedId, Parsed> profileFiles = new TreeMap<>();
    private final SortedMap<VersionedId, Parsed> typeFiles = new TreeMap<>();
    private final SortedMap<VersionedId, QueryProfileType> types = new TreeMap<>();

    private int nodes;

    /** A file with its root. */
    private record Parsed(XmlText xml, XmlElement root) {}

    private QueryProfilesReader(ApplicationFiles files, ApplicationName name, Findings findings) {
        this.files = files;
        this.name = name;
        this.findings = findings;
    }

    /**
     * Returns the valid profiles of {@code files}.
     *
     * @param name of the application, which variants can select
     */
    public static QueryProfiles read(
            ApplicationFiles files, ApplicationName name, Findings findings) {
        return new QueryProfilesReader(files, name, findings).read();
    }

    private QueryProfiles read() {
        for (String path : files.paths()) {
            if (path.endsWith(XML) && path.startsWith(TYPES)) {
                find(path, path.substring(TYPES.length()), "query-profile-type", typeFiles);
            } else if (path.endsWith(XML) && path.startsWith(PROFILES)) {
                find(path, path.substring(PROFILES.length()), "query-profile", profileFiles);
            }
        }
        typeFiles.forEach((id, parsed) -> {
            var reader = new ProfileTypeReader(parsed.xml(), this::typeRoot, profileTypeIds());
            types.put(id, reader.type(parsed.root()));
        });
        BuiltInTypes.all()
                .forEach((id, type) -> types.putIfAbsent(VersionedId.of(id).orElseThrow(), type));
        var profiles = new TreeMap<VersionedId, QueryProfile>();
        profileFiles.forEach((id, parsed) -> profiles.put(id, profile(id, parsed)));
        var read = new QueryProfiles(profiles, types, name);
        var checks = new ProfileChecks(read);
        boolean endless = false;
        for (Map.Entry<VersionedId, QueryProfile> profile : profiles.entrySet()) {
            Optional<String> problem = checks.problem(profile.getValue());
            if (problem.isPresent()) {
                endless = true;
                Parsed parsed = parsed(profile.getKey());
                parsed.xml()
                        .problem(
                                parsed.root(),
                                "query profile '%s': %s"
                                        .formatted(profile.getKey().name(), problem.get()));
            }
        }
        if (!endless) {
            Set<XmlText> broken = restingOnBroken();
            profiles.forEach((id, profile) -> {
                if (!broken.contains(parsed(id).xml())) {
                    checkValues(read, parsed(id), profile);
                }
            });
        }
        return read;
    }

    /**
     * Returns the files that are not well formed, and those that refer to such a file directly or
     * indirectly.
     */
    private Set<XmlText> restingOnBroken() {
        List<Parsed> all =
                Stream.of(profileFiles, typeFiles).flatMap(each -> each.values().stream()).toList();
        var open = new ArrayDeque<XmlText>();
        all.stream().map(Parsed::xml).filter(xml -> !xml.isWhole()).forEach(open::add);
        if (open.isEmpty()) {
            return Set.of();
        }
        Map<XmlText, List<XmlText>> users = new HashMap<>();
        for (Parsed user : all) {
            for (String id : named(user.root())) {
                Stream.of(profileFiles, typeFiles)
                        .flatMap(each -> QueryProfiles.find(each, id).stream())
                        .forEach(used ->
                                users.computeIfAbsent(used.xml(), _ -> new ArrayList<>())
                                        .add(user.xml()));
            }
        }
        Set<XmlText> reached = new HashSet<>(open);
        while (!open.isEmpty()) {
            for (XmlText user : users.getOrDefault(open.remove(), List.of())) {
                if (reached.add(user)) {
                    open.add(user);
                }
            }
        }
        return reached;
    }

    /** Returns the ids that an element may name, of profiles and types. */
    private static List<String> named(XmlElement element) {
        var ids = new ArrayList<>(split(element.attribute("inherits").orElse(""), "[,\\s]+"));
        element.attribute("type")
                .map(type -> type.replaceFirst("^query-profile:", ""))
                .ifPresent(ids::add);
        if (element.children().isEmpty()) {
            ids.add(element.text());
        }
        element.children().forEach(child -> ids.addAll(named(child)));
        return ids;
    }

    private Parsed parsed(VersionedId id) {
        return Objects.requireNonNull(profileFiles.get(id));
    }

    private void find(
            String path, String name, String element, SortedMap<VersionedId, Parsed> into) {
        Optional<String> text;
        try {
            text = files.text(path);
        } catch (InvalidPackageException e) {
            findings.problem(Objects.requireNonNull(e.getMessage()));
            return;
        }
        var xml = new XmlText(path, text.orElseThrow(), findings);
        // A file that cannot be parsed is still registered, so that references to it are not
        // reported.
        XmlElement root = xml.parts(SECTIONS).orElseGet(() -> unreadable(xml, element, name));
        nodes += xml.nodes();
        if (nodes > NODES_MAX) {
            throw new InvalidPackageException(
                    "%s: with this file, the query profiles have more than %,d elements and attributes"
                            .formatted(path, NODES_MAX));
        }
        if (!root.name().equals(element)) {
            xml.problem(root, "expected %s, but found '%s'".formatted(element, root.name()));
            return;
        }
        Optional<String> written = root.attribute("id");
        Optional<VersionedId> id = written.flatMap(VersionedId::of);
        if (id.isEmpty()) {
            xml.problem(
                    root,
                    element
                            + " needs an id: a name, and perhaps a version, as in \"default\" or"
                            + " \"mail:1.2.3\"");
            return;
        }
        String expected = expected(written.orElseThrow(), '_');
        if (!name.equals(expected) && !name.equals(expected(written.orElseThrow(), '.'))) {
            xml.problem(
                    root,
                    "id",
                    "the file of %s '%s' has to be called %s"
                            .formatted(element, written.orElseThrow(), expected));
            return;
        }
        if (into.putIfAbsent(id.get(), new Parsed(xml, root)) != null) {
            xml.problem(
                    root, "id", "%s '%s' is declared twice".formatted(element, id.get().name()));
        }
    }

    /** Returns the name of a profile's file, which has {@code slash} for each slash of the id. */
    private static String expected(String id, char slash) {
        return id.replace('/', slash).replace(':', '-') + XML;
    }

    private static XmlElement unreadable(XmlText xml, String element, String name) {
        String id = name.substring(0, name.length() - XML.length());
        var root = new XmlElement(element, Map.of("id", id), List.of(), "", 0, xml);
        xml.cutOff(root);
        return root;
    }

    private Set<String> profileTypeIds() {
        return typeFiles.keySet().stream()
                .map(VersionedId::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Optional<XmlElement> typeRoot(String id) {
        return QueryProfiles.find(typeFiles, id).map(Parsed::root);
    }

    private Optional<XmlElement> profileRoot(String id) {
        return QueryProfiles.find(profileFiles, id).map(Parsed::root);
    }

    private Set<String> profileIds() {
        return profileFiles.keySet().stream()
                .map(VersionedId::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private QueryProfile profile(VersionedId id, Parsed parsed) {
        return new QueryProfileReader(parsed.xml(), this::profileRoot, profileIds())
                .profile(id, parsed.root());
    }

    /**
     * Checks that texts refer only to values of their own profile that exist, and that values have
     * the declared types.
     */
    private void checkValues(QueryProfiles read, Parsed parsed, QueryProfile profile) {
        profile.type()
                .filter(type -> read.type(type).isEmpty())
                .ifPresent(type ->
                        parsed.xml()
                                .problem(
                                        parsed.root(),
                                        parsed.root().attribute("type").isPresent() ? "type" : "id",
                                        "there is no query profile type '%s'%s"
                                                .formatted(
                                                        type,
                                                        NearestName.hint(type, profileTypeIds()))));
        ResolvedProfile resolved = ProfileResolver.resolve(read, profile, _ -> Optional.empty());
        if (resolved.types().size() > ProfileChecks.VALUES_MAX) {
            parsed.xml()
                    .problem(
                            parsed.root(),
                            "query profile '%s': its types declare more than %,d fields with all that"
                                            .formatted(
                                                    profile.id().name(), ProfileChecks.VALUES_MAX)
                                    + " they refer to");
            return;
        }
        List<Body> bodies = new ArrayList<>(List.of(profile.body()));
        profile.variants().forEach(variant -> bodies.add(variant.body()));
        Set<String> names = new HashSet<>(resolved.values().keySet());
        bodies.forEach(body -> names.addAll(body.fields().keySet()));
        for (Body body : bodies) {
            body.fields()
                    .forEach((name, field) -> {
                        if (findings.isFull()) {
                            return;
                        }
                        switch (field.content()) {
                            case Content.Text(TextTemplate text) -> {
                                check(parsed, name, text, names, resolved);
                                checkProfile(read, parsed, name, text, resolved);
                            }
                            case Content.Reference(String id) ->
                                    checkReference(read, parsed, name, id, resolved);
                        }
                        checkStrict(parsed, name, resolved);
                    });
        }
    }

    /** The text of a field that is to have a profile names one. */
    private void checkProfile(
            QueryProfiles read,
            Parsed parsed,
            String name,
            TextTemplate text,
            ResolvedProfile resolved) {
        QueryProfileType.Field type = resolved.types().get(name);
        Optional<String> id = text.plain();
        if (type == null
                || !(type.type() instanceof ValueType.Profile expected)
                || id.filter(expected::accepts).isEmpty()) {
            return;
        }
        if (id.flatMap(read::profile).isEmpty()) {
            parsed.xml()
                    .problem(
                            field(parsed, name, id),
                            "field '%s': there is no query profile '%s'%s"
                                    .formatted(
                                            name,
                                            id.orElseThrow(),
                                            NearestName.hint(id.orElseThrow(), profileIds())));
        } else {
            checkType(read, name, id.orElseThrow(), expected)
                    .ifPresent(problem -> parsed.xml().problem(field(parsed, name, id), problem));
        }
    }

    /** Returns the problem with the type of the profile in a field, or empty if there is none. */
    private static Optional<String> checkType(
            QueryProfiles read, String name, String id, ValueType.Profile expected) {
        Optional<QueryProfile> profile = read.profile(id);
        Optional<String> type = profile.flatMap(QueryProfile::type);
        Optional<QueryProfileType> declaredType = type.flatMap(read::type);
        // Unknown profiles and types are reported where they are named.
        if (profile.isEmpty()
                || (type.isPresent() && declaredType.isEmpty())
                || read.accepts(expected, declaredType)) {
            return Optional.empty();
        }
        return Optional.of(
                "field '%s': expected a value of type %s, but found query profile '%s', which %s"
                        .formatted(
                                name,
                                expected.shown(),
                                id,
                                type.map(of -> "is of type '" + of + "'").orElse("has no type")));
    }

    private static void checkReference(
            QueryProfiles read, Parsed parsed, String name, String id, ResolvedProfile resolved) {
        QueryProfileType.Field type = resolved.types().get(name);
        if (type != null && type.type() instanceof ValueType.Profile expected) {
            checkType(read, name, id, expected)
                    .ifPresent(problem ->
                            parsed.xml().problem(field(parsed, name, Optional.empty()), problem));
        } else if (type != null) {
            parsed.xml()
                    .problem(
                            field(parsed, name, Optional.empty()),
                            "field '%s': expected a value of type %s, but found a reference to '%s'"
                                    .formatted(name, type.type().shown(), id));
        }
    }

    private static void check(
            Parsed parsed,
            String name,
            TextTemplate text,
            Set<String> names,
            ResolvedProfile resolved) {
        for (TextTemplate.Part part : text.parts()) {
            if (part instanceof TextTemplate.Part.Sibling(String sibling)
                    && !names.contains(sibling)) {
                parsed.xml()
                        .problem(
                                field(parsed, name, Optional.empty()),
                                "field '%s': there is no field '%s' in the profile%s"
                                        .formatted(
                                                name, sibling, NearestName.hint(sibling, names)));
            }
        }
        Optional<ValueType> type =
                Optional.ofNullable(resolved.types().get(name))
                        .map(QueryProfileType.Field::type)
                        .or(() ->
                                resolved.type()
                                        .filter(QueryProfileType::isNative)
                                        .flatMap(_ -> NativeFields.type(name)));
        Optional<String> value = text.plain();
        if (type.isPresent() && value.isPresent() && !type.get().accepts(value.get())) {
            parsed.xml()
                    .problem(
                            field(parsed, name, value),
                            "field '%s': expected a value of type %s, but found '%s'"
                                    .formatted(name, type.get().shown(), value.get()));
        }
    }

    /** Returns the element of a field; if several have the name, one with this value. */
    private static XmlElement field(Parsed parsed, String name, Optional<String> value) {
        List<XmlElement> all =
                Stream.concat(
                                Stream.of(parsed.root()),
                                parsed.root().children("query-profile").stream())
                        .flatMap(body -> body.children("field").stream())
                        .filter(field -> field.attribute("name").equals(Optional.of(name)))
                        .toList();
        return all.stream()
                .filter(field -> value.isEmpty() || field.text().equals(value.get()))
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElse(parsed.root());
    }

    private static void checkStrict(Parsed parsed, String name, ResolvedProfile resolved) {
        Optional<QueryProfileType> strict =
                resolved.type()
                        .filter(type -> !type.allows(name))
                        .or(() -> resolved.strictBelow(name));
        if (strict.isPresent()) {
            parsed.xml()
                    .problem(
                            field(parsed, name, Optional.empty()),
                            "field '%s' is not in type '%s', which is strict%s"
                                    .formatted(
                                            name,
                                            strict.get().id(),
                                            NearestName.hint(
                                                    name, strict.get().fields().keySet())));
        }
    }

    static Optional<Boolean> truth(XmlText xml, XmlElement element, String attribute) {
        Optional<String> text = element.attribute(attribute);
        if (text.isPresent() && !text.get().equals("true") && !text.get().equals("false")) {
            xml.problem(
                    element, attribute, "expected true or false, but found '" + text.get() + "'");
            return Optional.empty();
        }
        return text.map(Boolean::valueOf);
    }

    static void checkAttributes(XmlText xml, XmlElement element, Set<String> permitted) {
        for (String attribute : element.attributes().keySet()) {
            if (!permitted.contains(attribute)) {
                xml.warn(
                        element,
                        "unknown attribute '%s' of %s is left out; expected %s%s"
                                .formatted(
                                        attribute,
                                        element.name(),
                                        permitted.isEmpty()
                                                ? "no attributes"
                                                : "attributes out of "
                                                        + String.join(
                                                                ", ", new TreeSet<>(permitted)),
                                        NearestName.hint(attribute, permitted)));
            }
        }
    }

    /** Returns the parts without blanks around them; none of an empty text. */
    static List<String> split(String text, String separators) {
        var parts = new ArrayList<String>();
        for (String part : text.split(separators, -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return parts;
    }
}
