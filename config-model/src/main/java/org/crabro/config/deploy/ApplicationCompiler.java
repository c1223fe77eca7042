package org.crabro.config.deploy;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.FetchedFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.PackageLayout;
import org.crabro.config.application.RemoteFileException;
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SchemaSyntaxException;
import org.crabro.config.parser.SourceText;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.queryprofile.QueryProfilesReader;
import org.crabro.config.rules.RuleBaseLinker;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.DocumentPlaces;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.Services;
import org.crabro.config.services.ServicesReader;
import org.crabro.config.validation.Components;
import org.crabro.config.validation.Components.SchemaFiles;
import org.crabro.config.validation.DocumentSelectionCheck;
import org.crabro.config.validation.PackagedFileCheck;
import org.crabro.config.validation.PackagedForests;
import org.crabro.config.validation.PackagedModels;
import org.crabro.config.validation.ReferenceCheck;
import org.crabro.config.validation.SchemaCompiler;
import org.crabro.config.validation.SchemaFindings;
import org.crabro.config.validation.SchemaInheritance;
import org.crabro.config.validation.SchemaOrder;
import org.crabro.config.validation.ScriptComponents;
import org.crabro.config.validation.SignificanceCheck;
import org.crabro.tensor.TensorType;

/**
 * Compiles the files of a package to a model.
 *
 * <p>Problems are collected over all files, so one deployment shows all of them. Parts that depend
 * on a broken part are not checked, so that one mistake is reported once.
 */
public final class ApplicationCompiler {
    private static final Pattern EXPRESSION =
            Pattern.compile("(?:schemas|searchdefinitions)/([^/]+)\\.expression");
    private static final Pattern PROFILE =
            Pattern.compile("(?:schemas|searchdefinitions)/([^/]+)/(?:.*/)?([^/]+)\\.profile");

    private final FetchedFiles files;
    private final ApplicationName name;

    /**
     * The stack size of the compiling thread. Rank expressions can be 1,000 levels deep, and
     * recursion over them needs up to 2 MiB before the code is JIT-compiled.
     */
    private static final long STACK_BYTES = 16 << 20;

    /** The maximum number of tokens of all schemas and rank profiles. */
    private static final int TOKENS_MAX = 1_000_000;

    private int tokens;
    private final Findings findings = new Findings();
    private ValidationOverrides overrides = new ValidationOverrides(List.of());

    private ApplicationCompiler(FetchedFiles files, ApplicationName name) {
        this.files = files;
        this.name = name;
    }

    /**
     * Returns the model of the package.
     *
     * @param generation the number that the model gets
     * @throws InvalidApplicationException if anything in the package is wrong
     */
    public static CompiledApplication compile(ApplicationFiles files, long generation) {
        return compile(files, generation, ApplicationName.DEFAULT);
    }

    /**
     * Compiles a package for an application name: parts of the package may apply to some names
     * only. Rejects files at URIs.
     */
    public static CompiledApplication compile(
            ApplicationFiles files, long generation, ApplicationName name) {
        return compile(files, generation, name, RemoteFiles.NONE);
    }

    /**
     * Compiles a package for an application name.
     *
     * @param remote fetches the files that the package names by URI; called by another thread
     */
    public static CompiledApplication compile(
            ApplicationFiles files, long generation, ApplicationName name, RemoteFiles remote) {
        var compiling =
                new FutureTask<>(
                        () -> compileHere(new FetchedFiles(files, remote), generation, name));
        Thread.ofPlatform().daemon().name("compiling").stackSize(STACK_BYTES).start(compiling);
        try {
            return compiling.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            compiling.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an application was compiled", e);
        }
    }

    private static CompiledApplication compileHere(
            FetchedFiles files, long generation, ApplicationName name) {
        var compiler = new ApplicationCompiler(files, name);
        Optional<ApplicationModel> model = Optional.empty();
        try (var models = new PackagedModels(files)) {
            model = compiler.compile(generation, models);
        } catch (InvalidPackageException e) {
            compiler.findings.problem(Objects.requireNonNull(e.getMessage()));
        }
        Findings findings = compiler.findings;
        if (findings.hasProblems() || model.isEmpty()) {
            throw new InvalidApplicationException(findings.problems(), findings.notices());
        }
        return new CompiledApplication(model.get(), findings.notices(), compiler.overrides);
    }

    private Optional<ApplicationModel> compile(long generation, PackagedModels models) {
        PackageLayout.check(files, findings);
        UnreadFiles.tell(files, findings);
        PageTemplateCheck.check(files, findings);
        overrides = ValidationOverrides.read(files, findings);
        QueryProfiles profiles = QueryProfilesReader.read(files, name, findings);
        var queries = new QuerySettings(profiles, RuleBaseLinker.read(files, findings));
        Map<String, TensorType> inputs = profiles.rankInputs();
        Map<String, Optional<SchemaDeclaration>> declarations = declarations();
        declarations.values().forEach(each -> each.ifPresent(this::fetchFiles));
        Map<String, SourceText> expressions = expressions();
        var places = new DocumentPlaces();
        Optional<Services> services =
                ServicesReader.read(files, declarations.keySet(), name, places, findings);
        // The list of embedder ids is only complete if services.xml has no problem.
        Optional<ScriptComponents> scripts =
                findings.hasProblems()
                        ? Optional.empty()
                        : services.map(ApplicationCompiler::scriptComponents);
        var schemaFiles =
                new SchemaFiles(
                        Set.copyOf(files.paths()),
                        expressions,
                        (path, type) -> PackagedFileCheck.constant(files, path, type),
                        new PackagedForests(files),
                        models);
        var schemas = new LinkedHashMap<String, Schema>();
        var streaming = new HashMap<String, Schema>();
        var whole = new LinkedHashMap<String, SchemaDeclaration>();
        // Some checks need all schemas. Problems are reported schema by schema, step by step.
        var bySchema = new LinkedHashMap<String, SchemaFindings>();
        Map<String, Optional<SchemaDeclaration>> resolved =
                SchemaInheritance.resolve(declarations, findings);
        resolved.forEach((name, declaration) -> {
            declaration.ifPresent(each -> whole.put(name, each));
            bySchema.put(name, new SchemaFindings());
        });
        var compiled = new LinkedHashMap<String, Schema>();
        for (String name : SchemaOrder.parentsFirst(resolved)) {
            Set<Mode> modes = modes(services, name);
            SchemaOfModes compiler =
                    (each, of, into) ->
                            SchemaCompiler.compile(
                                    each,
                                    new Components(
                                            scripts,
                                            of,
                                            inputs,
                                            declarations.keySet(),
                                            schemaFiles,
                                            new Components.Parents(compiled, whole)),
                                    into);
            Optional<SchemaDeclaration> declaration = Optional.ofNullable(whole.get(name));
            declaration
                    .flatMap(each ->
                            compiler.compile(
                                    each, modes, Objects.requireNonNull(bySchema.get(name))))
                    .ifPresent(schema -> compiled.put(name, schema));
            if (modes.contains(Mode.INDEX) && modes.contains(Mode.STREAMING)) {
                // Its problems are those of the schema above.
                declaration
                        .flatMap(each ->
                                compiler.compile(
                                        each, Set.of(Mode.STREAMING), new SchemaFindings()))
                        .ifPresent(schema -> streaming.put(name, schema));
            }
        }
        for (String name : resolved.keySet()) {
            Optional.ofNullable(compiled.get(name)).ifPresent(schema -> schemas.put(name, schema));
        }
        schemas.forEach((name, schema) ->
                PackagedFileCheck.check(
                        Objects.requireNonNull(whole.get(name)),
                        schema,
                        files,
                        Objects.requireNonNull(bySchema.get(name))));
        ReferenceCheck.check(
                whole, schemas, services.map(Services::contents).orElse(List.of()), bySchema);
        bySchema.values().forEach(each -> each.tell(findings));
        DocumentSelectionCheck.check(
                services.map(Services::contents).orElse(List.of()), schemas, places);
        services.ifPresent(each -> SignificanceCheck.check(each.containers(), schemas, findings));
        streaming.keySet().retainAll(schemas.keySet());
        return services.map(each -> model(generation, each, schemas, streaming, queries));
    }

    /** Compiles a schema for content clusters with some modes. */
    private interface SchemaOfModes {
        Optional<Schema> compile(
                SchemaDeclaration declaration, Set<Mode> modes, SchemaFindings findings);
    }

    private void fetchFiles(SchemaDeclaration declaration) {
        for (PackagedFile file : declaration.files()) {
            if (file.isRemote()) {
                try {
                    files.fetch(file.file().text());
                } catch (RemoteFileException e) {
                    findings.problem(
                            file.file()
                                    .at()
                                    .pointing(
                                            "%s '%s' is at a URI: %s. Put the file into the package, such as models/%s, and write 'file: models/%s' instead of uri"
                                                    .formatted(
                                                            file.kind(),
                                                            file.name().text(),
                                                            e.getMessage(),
                                                            file.fileName(),
                                                            file.fileName())));
                }
            }
        }
    }

    private ApplicationModel model(
            long generation,
            Services services,
            Map<String, Schema> all,
            Map<String, Schema> streaming,
            QuerySettings queries) {
        Map<String, Schema> named = named(all, services);
        var unkept = new TreeSet<>(all.keySet());
        unkept.removeAll(named.keySet());
        return new ApplicationModel(
                name,
                generation,
                new OwnSchemas(services, named, streaming).services(),
                named,
                unkept,
                queries);
    }

    /**
     * Returns the schemas by the names of their files; the value is empty for an unreadable schema.
     */
    private Map<String, Optional<SchemaDeclaration>> declarations() {
        var declarations = new LinkedHashMap<String, Optional<SchemaDeclaration>>();
        for (String path : new TreeSet<>(files.paths())) {
            if (path.matches("(schemas|searchdefinitions)/[^/]*\\.sd")) {
                String name = path.substring(path.indexOf('/') + 1, path.length() - ".sd".length());
                read(path, name, declarations);
            }
        }
        addProfiles(declarations);
        return declarations;
    }

    /** Reads a file, whose name is that of its schema, or of one of its documents. */
    private void read(
            String path, String name, Map<String, Optional<SchemaDeclaration>> declarations) {
        if (declarations.containsKey(name)) {
            add(
                    path,
                    name,
                    text(path).map(this::parsed).flatMap(SchemaParser.Result::schema),
                    declarations);
            return;
        }
        Optional<SourceText> text = text(path);
        SchemaParser.Result result = text.map(this::parsed).orElse(SchemaParser.Result.NONE);
        tell(result.errors());
        boolean isWhole = result.errors().isEmpty();
        boolean isNamed =
                result.schemas().size() < 2
                        || result.schemas().stream()
                                .anyMatch(each -> each.header().name().text().equals(name));
        if (!isNamed) {
            findings.problem(
                    result.schemas()
                            .getFirst()
                            .header()
                            .name()
                            .at()
                            .pointing(
                                    "one of the documents in the file must be called '%s'"
                                            .formatted(name)));
        }
        if (result.schemas().size() < 2) {
            add(path, name, isWhole ? result.schema() : Optional.empty(), declarations);
            return;
        }
        for (SchemaDeclaration each : result.schemas()) {
            add(
                    path,
                    each.header().name().text(),
                    isWhole ? Optional.of(each) : Optional.empty(),
                    declarations);
        }
    }

    private void add(
            String path,
            String name,
            Optional<SchemaDeclaration> declaration,
            Map<String, Optional<SchemaDeclaration>> declarations) {
        if (!declarations.containsKey(name)) {
            declarations.put(name, declaration);
            return;
        }
        String first =
                declarations
                        .get(name)
                        .map(each -> each.header().name().at().source().file())
                        .orElse("");
        if (first.isEmpty() || first.endsWith("/" + name + ".sd")) {
            findings.problem(path + ": schemas/" + name + ".sd exists, too; remove one");
        } else {
            String problem = "'%s' is declared twice; the first is in %s".formatted(name, first);
            findings.problem(
                    declaration
                            .map(each -> each.header().name().at().pointing(problem))
                            .orElse(path + ": " + problem));
        }
    }

    private Optional<SourceText> text(String path) {
        try {
            return files.text(path).map(text -> new SourceText(path, text));
        } catch (InvalidPackageException e) {
            findings.problem(Objects.requireNonNull(e.getMessage()));
            return Optional.empty();
        }
    }

    private SchemaParser.Result parsed(SourceText text) {
        SchemaParser.Result result = SchemaParser.parse(text);
        countTokens(text.file(), result.tokens());
        return result;
    }

    private void countTokens(String path, int more) {
        tokens += more;
        if (tokens > TOKENS_MAX) {
            throw new InvalidPackageException(
                    "%s: with this file, the schemas have more than %,d words and signs"
                            .formatted(path, TOKENS_MAX));
        }
    }

    private void tell(List<SchemaSyntaxException> errors) {
        errors.forEach(error -> findings.problem(Objects.requireNonNull(error.getMessage())));
    }

    /** Returns the rank expressions in files of their own, by the names of the files. */
    private Map<String, SourceText> expressions() {
        var expressions = new LinkedHashMap<String, SourceText>();
        for (String path : files.paths()) {
            Matcher file = EXPRESSION.matcher(path);
            if (file.matches()) {
                text(path).ifPresent(text -> expressions.put(file.group(1), text));
            }
        }
        return expressions;
    }

    /** Adds the rank profiles in files of their own to the schemas that their directories name. */
    private void addProfiles(Map<String, Optional<SchemaDeclaration>> declarations) {
        for (String path : files.paths()) {
            Matcher file = PROFILE.matcher(path);
            if (!file.matches()) {
                continue;
            }
            String schema = file.group(1);
            if (!declarations.containsKey(schema)) {
                findings.warn(
                        "%s: left out: there is no schema '%s', whose rank profile it would be%s"
                                .formatted(
                                        path,
                                        schema,
                                        NearestName.hint(schema, declarations.keySet())));
                continue;
            }
            Optional<SourceText> text = text(path);
            if (text.isEmpty()) {
                declarations.put(schema, Optional.empty());
                continue;
            }
            SchemaParser.ProfileResult result = SchemaParser.parseProfile(text.get());
            countTokens(path, result.tokens());
            tell(result.errors());
            if (result.errors().isEmpty()) {
                var name = result.rankProfiles().getFirst().name();
                if (!name.text().equals(file.group(2))) {
                    findings.problem(
                            name.at()
                                    .pointing(
                                            "rank-profile '%s' must be in a file called %s.profile"
                                                    .formatted(name.text(), name.text())));
                }
            }
            declarations.computeIfPresent(
                    schema,
                    (_, declaration) ->
                            result.errors().isEmpty()
                                    ? declaration.map(each -> each.with(result))
                                    : Optional.empty());
        }
    }

    private static ScriptComponents scriptComponents(Services services) {
        return new ScriptComponents(
                services.containers().stream()
                        .flatMap(container -> container.embedders().stream())
                        .map(EmbedderComponent::id)
                        .collect(Collectors.toSet()),
                services.containers().stream()
                        .flatMap(container -> container.own().generators().stream())
                        .collect(Collectors.toSet()));
    }

    private static Set<Mode> modes(Optional<Services> services, String schema) {
        var modes = EnumSet.noneOf(Mode.class);
        for (ContentCluster content : services.map(Services::contents).orElse(List.of())) {
            for (ClusterDocument document : content.documents()) {
                if (document.type().equals(schema)) {
                    modes.add(document.mode());
                }
            }
        }
        return modes;
    }

    /** Returns the snippet settings of the first cluster that has documents of a schema. */
    private static SnippetRules snippets(Services services, String schema) {
        return services.contents().stream()
                .filter(content ->
                        content.documents().stream()
                                .anyMatch(document -> document.type().equals(schema)))
                .map(cluster -> cluster.queries().snippets())
                .findFirst()
                .orElse(SnippetRules.DEFAULT);
    }

    private Map<String, Schema> named(Map<String, Schema> schemas, Services services) {
        var named = new LinkedHashMap<String, Schema>();
        schemas.forEach((name, schema) -> {
            if (modes(Optional.of(services), name).isEmpty()) {
                findings.inform("schema " + name + ": no content cluster names it");
            } else {
                Set<Mode> modes = modes(Optional.of(services), name);
                named.put(
                        name,
                        schema.in(snippets(services, name), modes.contains(Mode.INDEX))
                                .with(modes.contains(Mode.INDEX), services.specialTokens()));
            }
        });
        return named;
    }
}
