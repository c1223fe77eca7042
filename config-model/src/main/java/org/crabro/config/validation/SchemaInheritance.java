package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredFeatures;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredNames;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaDeclaration.DeclaredFields;
import org.crabro.config.parser.SchemaDeclaration.DeclaredTypes;
import org.crabro.config.parser.SchemaDeclaration.Document;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.parser.SchemaDeclaration.SchemaHeader;

/**
 * Resolves the inheritance of schemas, so that the results inherit nothing. A schema gets the
 * fields of inherited documents and of their schemas. From an inherited schema it also gets field
 * sets, summaries and rank profiles, unless it declares one of the same name.
 *
 * <p>A replaced rank profile stays under another name for the profiles that inherit it: profiles of
 * its own schema, and the profile that replaces it. Its constants and models in files stay with it.
 * A profile that is inherited through a document alone still refers to those of its own schema.
 *
 * <p>A rank profile looks up the name of its parent in this order: its own schema, the inherited
 * schema, the schemas of inherited documents over all generations. Of several profiles the one with
 * the fewest generations wins, and among those the first declared.
 */
public final class SchemaInheritance {
    /** Longer than any meaningful chain of parents, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 100;

    /**
     * How many fields all documents may inherit together, so that a short file is soon compiled.
     */
    private static final int FIELDS_MAX = 50_000;

    /** A character that is not allowed in names. */
    private static final char REPLACED = '@';

    private final Map<String, Optional<SchemaDeclaration>> declarations;
    private final Findings findings;
    private final Map<String, Optional<SchemaDeclaration>> done = new LinkedHashMap<>();
    private final Set<String> open = new LinkedHashSet<>();
    private final Map<String, Integer> depths = new HashMap<>();

    /** By schema, which rank profiles its own can inherit, by the names they were given. */
    private final Map<String, Map<String, Inheritable>> inheritable = new HashMap<>();

    /** The schemas whose documents have other names, by those. */
    private final Map<String, String> byDocument = new HashMap<>();

    private int inheritedFields;

    private SchemaInheritance(
            Map<String, Optional<SchemaDeclaration>> declarations, Findings findings) {
        this.declarations = declarations;
        this.findings = findings;
        declarations.forEach((schema, declaration) ->
                declaration.stream()
                        .flatMap(each -> each.types().documents().stream())
                        .map(document -> document.name().text())
                        .filter(document -> !declarations.containsKey(document))
                        .forEach(document -> byDocument.putIfAbsent(document, schema)));
    }

    /**
     * Returns the schemas with all inherited parts. The result is empty for a schema whose
     * inheritance is invalid, or whose parent could not be read.
     *
     * @param declarations by name
     */
    public static Map<String, Optional<SchemaDeclaration>> resolve(
            Map<String, Optional<SchemaDeclaration>> declarations, Findings findings) {
        var inheritance = new SchemaInheritance(declarations, findings);
        declarations.keySet().forEach(inheritance::whole);
        return inheritance.done;
    }

    /**
     * A rank profile that others can inherit.
     *
     * @param name in the schema
     * @param generations the number of documents between the heir and the declaration
     */
    private record Inheritable(String name, int generations) {
        Inheritable nearer(Inheritable that) {
            return that.generations < generations ? that : this;
        }
    }

    /** Returns whether a rank profile is there only for those that inherit it. */
    static boolean isReplaced(String rankProfile) {
        return rankProfile.indexOf(REPLACED) >= 0;
    }

    /**
     * Returns the owner name for constants and models of another schema, used by profiles inherited
     * from there.
     */
    static String ownerElsewhere(String schema) {
        return REPLACED + schema;
    }

    private Optional<SchemaDeclaration> whole(String name) {
        Optional<SchemaDeclaration> cached = done.get(name);
        if (cached == null) {
            open.add(name);
            cached = declarations.getOrDefault(name, Optional.empty()).flatMap(this::whole);
            open.remove(name);
            done.put(name, cached);
        }
        return cached;
    }

    private Optional<SchemaDeclaration> whole(SchemaDeclaration schema) {
        // A schema without exactly one document is rejected elsewhere.
        if (schema.types().documents().size() != 1) {
            return Optional.of(schema);
        }
        Document document = schema.types().documents().getFirst();
        Optional<SchemaDeclaration> parent = Optional.empty();
        if (schema.header().parent().isPresent()) {
            parent = inherited("schema", schema, schema.header().parent().get());
            if (parent.isEmpty()) {
                return Optional.empty();
            }
            String needed = schema.header().parent().get().text();
            if (document.parents().stream().noneMatch(each -> schemaOf(each).equals(needed))) {
                problem(
                        document.name(),
                        "schema '%s' inherits '%s', so its document has to, too: document %s inherits %s%s"
                                .formatted(
                                        schema.header().name().text(),
                                        needed,
                                        document.name().text(),
                                        needed,
                                        misspelt(document, needed)));
                return Optional.empty();
            }
        }
        var parents = new ArrayList<SchemaDeclaration>();
        for (Name each : document.parents()) {
            Optional<SchemaDeclaration> inheritedSchema = inherited("document", schema, each);
            if (inheritedSchema.isEmpty()) {
                return Optional.empty();
            }
            parents.add(inheritedSchema.get());
        }
        for (SchemaDeclaration each : parents) {
            inheritedFields +=
                    each.types().documents().getFirst().fields().size()
                            + each.fields().outside().size();
        }
        if (inheritedFields > FIELDS_MAX) {
            problem(
                    document.parents().getFirst(),
                    "documents inherit more than %d fields together".formatted(FIELDS_MAX));
            return Optional.empty();
        }
        return Optional.of(merged(schema, parent, parents));
    }

    /** Returns the name of the schema of an inherited document. */
    private String schemaOf(Name document) {
        return byDocument.getOrDefault(document.text(), document.text());
    }

    private Optional<SchemaDeclaration> inherited(
            String kind, SchemaDeclaration schema, Name parent) {
        String child = schema.header().name().text();
        String above = kind.equals("document") ? schemaOf(parent) : parent.text();
        if (open.size() > DEPTH_LIMIT) {
            problem(parent, tooDeep(kind, child));
            return Optional.empty();
        }
        if (open.contains(above)) {
            problem(
                    parent,
                    "%s '%s' inherits itself: %s inherits %s"
                            .formatted(
                                    kind, child, String.join(" inherits ", open), parent.text()));
            return Optional.empty();
        }
        if (!declarations.containsKey(above)) {
            problem(
                    parent,
                    "%s '%s' inherits '%s', which does not exist%s"
                            .formatted(
                                    kind,
                                    child,
                                    parent.text(),
                                    NearestName.hint(parent.text(), declarations.keySet())));
            return Optional.empty();
        }
        Optional<SchemaDeclaration> schemaAbove = whole(above);
        int depth = 1 + depths.getOrDefault(above, 0);
        depths.merge(child, depth, Math::max);
        if (schemaAbove.isPresent() && depth > DEPTH_LIMIT) {
            problem(parent, tooDeep(kind, child));
            return Optional.empty();
        }
        return schemaAbove;
    }

    private static String tooDeep(String kind, String child) {
        return "%s '%s' inherits through more than %d others".formatted(kind, child, DEPTH_LIMIT);
    }

    private SchemaDeclaration merged(
            SchemaDeclaration schema,
            Optional<SchemaDeclaration> parent,
            List<SchemaDeclaration> parents) {
        var inside = new ArrayList<FieldDeclaration>();
        var outside = new ArrayList<FieldDeclaration>();
        var structs = new ArrayList<SchemaDeclaration.Struct>();
        var annotations = new ArrayList<SchemaDeclaration.Struct>();
        for (SchemaDeclaration each : parents) {
            // Two parents may have a field with the same type: the first one is inherited.
            addFields(inside, each.types().documents().getFirst().fields());
            addFields(outside, each.fields().outside());
            addStructs(structs, each.types().structs());
            addNew(annotations, each.types().annotations());
        }
        Document document = schema.types().documents().getFirst();
        inside.removeIf(inherited ->
                document.fields().stream().anyMatch(own -> isRepeated(inherited, own)));
        inside.addAll(document.fields());
        outside.addAll(schema.fields().outside());
        addStructs(structs, schema.types().structs());
        annotations.addAll(schema.types().annotations());
        var files = new ArrayList<PackagedFile>();
        List<RankProfileDeclaration> profiles = profiles(schema, parent, parents, files);
        return new SchemaDeclaration(
                new SchemaHeader(
                        schema.header().name(),
                        Optional.empty(),
                        schema.header().isOneOfSeveral(),
                        schema.header().ignored()),
                new DeclaredTypes(
                        List.of(new Document(document.name(), List.of(), inside)),
                        structs,
                        annotations),
                new DeclaredFields(
                        outside,
                        over(
                                parent,
                                schema,
                                each -> each.fields().fieldsets(),
                                each -> each.name().text()),
                        over(
                                parent,
                                schema,
                                each -> each.fields().imports(),
                                each -> each.name().text()),
                        over(
                                parent,
                                schema,
                                each -> each.fields().indexes(),
                                each -> each.name().text()),
                        schema.fields()
                                .stemming()
                                .or(() -> parent.flatMap(each -> each.fields().stemming())),
                        schema.fields()
                                .rawAsBase64()
                                .or(() -> parent.flatMap(each -> each.fields().rawAsBase64()))),
                profiles,
                over(parent, schema, SchemaDeclaration::summaries, each -> each.name().text()),
                files);
    }

    /** Returns whether a field is declared again, with the same type. */
    private static boolean isRepeated(FieldDeclaration inherited, FieldDeclaration own) {
        return inherited.name().text().equals(own.name().text())
                && inherited.type().isWrittenAs(own.type());
    }

    /** Adds the structs that are not equal to a struct of another schema. */
    private static void addStructs(
            List<SchemaDeclaration.Struct> into, List<SchemaDeclaration.Struct> declared) {
        List<SchemaDeclaration.Struct> others = List.copyOf(into);
        declared.stream()
                .filter(struct -> others.stream().noneMatch(struct::isWrittenAs))
                .forEach(into::add);
    }

    /** Adds the fields that are no repeated fields of another parent. */
    private static void addFields(List<FieldDeclaration> into, List<FieldDeclaration> declared) {
        List<FieldDeclaration> others = List.copyOf(into);
        declared.stream()
                .filter(field -> others.stream().noneMatch(other -> isRepeated(other, field)))
                .forEach(into::add);
    }

    private static <T> void addNew(List<T> into, List<T> declared) {
        Set<T> elements = Collections.newSetFromMap(new IdentityHashMap<>());
        elements.addAll(into);
        declared.stream().filter(elements::add).forEach(into::add);
    }

    /**
     * Returns the items of the parent that the child does not redeclare, then those of the child.
     */
    private static <T> List<T> over(
            Optional<SchemaDeclaration> parent,
            SchemaDeclaration child,
            Function<SchemaDeclaration, List<T>> items,
            Function<T, String> name) {
        Set<String> own = items.apply(child).stream().map(name).collect(Collectors.toSet());
        var all = new ArrayList<T>();
        parent.ifPresent(above ->
                items.apply(above).stream()
                        .filter(item -> !own.contains(name.apply(item)))
                        .forEach(all::add));
        all.addAll(items.apply(child));
        return all;
    }

    /**
     * @param files receives the constants and models of the schema, its own and those inherited
     *     with profiles
     */
    private List<RankProfileDeclaration> profiles(
            SchemaDeclaration schema,
            Optional<SchemaDeclaration> parent,
            List<SchemaDeclaration> parents,
            List<PackagedFile> files) {
        Set<String> own = names(schema.rankProfiles());
        var profiles = new ArrayList<RankProfileDeclaration>();
        var seen = new LinkedHashSet<String>(own);
        // Profiles that only inherited documents have: they can be inherited, but are not part of
        // this schema.
        Map<String, Inheritable> elsewhere = new HashMap<>();
        if (parent.isPresent()) {
            String above = parent.get().header().name().text();
            UnaryOperator<String> renamed =
                    name -> own.contains(name) ? name + REPLACED + above : name;
            for (RankProfileDeclaration profile : parent.get().rankProfiles()) {
                profiles.add(with(profile, renamed, renamed, profile.names().home()));
                seen.add(renamed.apply(profile.name().text()));
                own.stream()
                        .filter(profile.name().text()::equals)
                        .forEach(name ->
                                elsewhere.put(name, new Inheritable(renamed.apply(name), 0)));
            }
            addFurther(above, UnaryOperator.identity(), elsewhere);
            Set<List<String>> said =
                    schema.files().stream().map(SchemaInheritance::key).collect(Collectors.toSet());
            parent.get().files().stream()
                    .map(file -> file.of(renamed.apply(file.owner())))
                    .filter(file -> !said.contains(key(file)))
                    .forEach(files::add);
        }
        files.addAll(schema.files());
        for (SchemaDeclaration each : parents) {
            if (parent.isPresent()
                    && parent.get().header().name().text().equals(each.header().name().text())) {
                continue;
            }
            String above = each.header().name().text();
            UnaryOperator<String> renamed =
                    name -> isReplaced(name) ? name : name + REPLACED + above;
            Set<String> there = names(each.rankProfiles());
            Optional<String> home = Optional.of(above);
            Set<String> owners =
                    files.stream().map(PackagedFile::owner).collect(Collectors.toSet());
            each.files().stream()
                    .map(file -> file.of(renamed.apply(file.owner())))
                    .filter(file -> !owners.contains(file.owner()))
                    .forEach(files::add);
            for (RankProfileDeclaration profile : each.rankProfiles()) {
                if (seen.add(renamed.apply(profile.name().text()))) {
                    profiles.add(
                            with(
                                    profile,
                                    renamed,
                                    name -> there.contains(name) ? renamed.apply(name) : name,
                                    profile.names().home().or(() -> home)));
                }
            }
            addFurther(above, renamed, elsewhere);
        }
        Set<String> near = names(profiles);
        for (RankProfileDeclaration profile : schema.rankProfiles()) {
            String name = profile.name().text();
            profiles.add(
                    with(
                            profile,
                            UnaryOperator.identity(),
                            above ->
                                    above.equals(name)
                                                    || (!own.contains(above)
                                                            && !near.contains(above))
                                            ? named(above, elsewhere)
                                            : above,
                            profile.names().home()));
        }
        profiles.stream()
                .map(profile -> profile.name().text())
                .filter(name -> !isReplaced(name))
                .forEach(name -> elsewhere.put(name, new Inheritable(name, 0)));
        inheritable.put(schema.header().name().text(), elsewhere);
        return profiles;
    }

    private static String named(String profile, Map<String, Inheritable> elsewhere) {
        Inheritable profileDeclaration = elsewhere.get(profile);
        return profileDeclaration == null ? profile : profileDeclaration.name();
    }

    /**
     * Adds the rank profiles that profiles of {@code schema} can inherit, with one more generation.
     */
    private void addFurther(
            String schema, UnaryOperator<String> renamed, Map<String, Inheritable> into) {
        inheritable
                .getOrDefault(schema, Map.of())
                .forEach((name, declaration) ->
                        into.merge(
                                name,
                                new Inheritable(
                                        renamed.apply(declaration.name()),
                                        declaration.generations() + 1),
                                Inheritable::nearer));
    }

    private static List<String> key(PackagedFile file) {
        return List.of(file.kind(), file.owner(), file.name().text());
    }

    private static Set<String> names(List<RankProfileDeclaration> profiles) {
        return profiles.stream()
                .map(profile -> profile.name().text())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the profile under another name, with its parents renamed. */
    private static RankProfileDeclaration with(
            RankProfileDeclaration profile,
            UnaryOperator<String> renamed,
            UnaryOperator<String> parents,
            Optional<String> home) {
        var shown = new LinkedHashMap<String, RankProfileDeclaration.Features>();
        profile.features()
                .shown()
                .forEach((keyword, features) -> shown.put(keyword, with(features, parents)));
        return new RankProfileDeclaration(
                new Name(profile.name().at(), renamed.apply(profile.name().text())),
                names(profile.parents(), parents),
                new DeclaredNames(
                        home,
                        profile.names().inputs(),
                        profile.names().constants(),
                        profile.names().functions()),
                profile.phases(),
                new DeclaredFeatures(
                        profile.features().match().map(features -> with(features, parents)),
                        shown,
                        profile.features().properties()),
                profile.settings());
    }

    private static RankProfileDeclaration.Features with(
            RankProfileDeclaration.Features features, UnaryOperator<String> parents) {
        return new RankProfileDeclaration.Features(
                features.keyword(), names(features.parents(), parents), features.features());
    }

    private static List<Name> names(List<Name> names, UnaryOperator<String> renamed) {
        return names.stream().map(name -> new Name(name.at(), renamed.apply(name.text()))).toList();
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }

    /**
     * Returns a hint if a parent of {@code document} has a name similar to {@code name}; else "".
     */
    private static String misspelt(Document document, String name) {
        return document.parents().stream()
                .map(parent -> NearestName.hint(parent.text(), Set.of(name)))
                .filter(hint -> !hint.isEmpty())
                .findFirst()
                .orElse("");
    }
}
