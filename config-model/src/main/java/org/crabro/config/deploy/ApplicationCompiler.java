package org.crabro.config.deploy;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.PackageLayout;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.queryprofile.QueryProfilesReader;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.Services;
import org.crabro.config.services.ServicesReader;
import org.crabro.config.validation.Components;
import org.crabro.config.validation.SchemaCompiler;
import org.crabro.tensor.TensorType;

/**
 * Turns the files of a package into a model.
 *
 * <p>Problems are collected over all files: one deployment tells everything that can be told. What
 * rests on something broken is not checked, so that one mistake is not told many times.
 */
public final class ApplicationCompiler {
    private final ApplicationFiles files;
    private final Findings findings = new Findings();
    private ValidationOverrides overrides = new ValidationOverrides(List.of());

    private ApplicationCompiler(ApplicationFiles files) {
        this.files = files;
    }

    /**
     * Returns the model of the package.
     *
     * @param generation the number that the model gets
     * @throws InvalidApplicationException if anything in the package is wrong
     */
    public static CompiledApplication compile(ApplicationFiles files, long generation) {
        var compiler = new ApplicationCompiler(files);
        Optional<ApplicationModel> model = Optional.empty();
        try {
            model = compiler.compile(generation);
        } catch (InvalidPackageException e) {
            compiler.findings.problem(Objects.requireNonNull(e.getMessage()));
        }
        Findings findings = compiler.findings;
        if (findings.hasProblems() || model.isEmpty()) {
            throw new InvalidApplicationException(findings.problems(), findings.notices());
        }
        return new CompiledApplication(model.get(), findings.notices(), compiler.overrides);
    }

    private Optional<ApplicationModel> compile(long generation) {
        PackageLayout.check(files, findings);
        tellUnread();
        overrides = ValidationOverrides.read(files, findings);
        QueryProfiles profiles = QueryProfilesReader.read(files, findings);
        Map<String, TensorType> inputs = profiles.rankInputs();
        Map<String, Optional<SchemaDeclaration>> declarations = declarations();
        Optional<Services> services = ServicesReader.read(files, declarations.keySet(), findings);
        // Ids of embedders are only known to be all where services.xml has no problem.
        Optional<Set<String>> embedders =
                findings.hasProblems() ? Optional.empty() : services.map(this::embedders);
        var schemas = new LinkedHashMap<String, Schema>();
        declarations.forEach((name, declaration) ->
                declaration
                        .flatMap(found ->
                                SchemaCompiler.compile(
                                        found,
                                        new Components(embedders, modes(services, name), inputs),
                                        findings))
                        .ifPresent(schema -> schemas.put(name, schema)));
        return services.map(
                found -> new ApplicationModel(generation, found, named(schemas, found), profiles));
    }

    /** Tells of files that have a meaning, but none yet. */
    private void tellUnread() {
        for (String path : files.paths()) {
            if (path.startsWith("schemas/") && path.endsWith(".profile")) {
                findings.problem(path + ": a rank profile in a file of its own is not built yet");
            } else if (path.startsWith("components/")) {
                findings.problem(path + ": components of one's own are not built yet");
            } else if (path.equals("hosts.xml")) {
                findings.inform(path + ": one process does all of it for now");
            } else if (path.startsWith("routing/") || path.startsWith("page-templates/")) {
                findings.inform(path + ": changes nothing here");
            }
        }
    }

    /** Returns the schemas by the names of their files; nothing for those that cannot be read. */
    private Map<String, Optional<SchemaDeclaration>> declarations() {
        var declarations = new LinkedHashMap<String, Optional<SchemaDeclaration>>();
        for (String path : new TreeSet<>(files.paths())) {
            if (path.matches("(schemas|searchdefinitions)/[^/]*\\.sd")) {
                String name = path.substring(path.indexOf('/') + 1, path.length() - ".sd".length());
                if (declarations.containsKey(name)) {
                    findings.problem(path + ": schemas/" + name + ".sd is there, too; remove one");
                } else {
                    declarations.put(name, declaration(path));
                }
            }
        }
        return declarations;
    }

    private Optional<SchemaDeclaration> declaration(String path) {
        String text;
        try {
            text = files.text(path).orElseThrow();
        } catch (InvalidPackageException e) {
            findings.problem(Objects.requireNonNull(e.getMessage()));
            return Optional.empty();
        }
        SchemaParser.Result result = SchemaParser.parse(new SourceText(path, text));
        result.errors()
                .forEach(error -> findings.problem(Objects.requireNonNull(error.getMessage())));
        return result.errors().isEmpty() ? result.schema() : Optional.empty();
    }

    private Set<String> embedders(Services services) {
        return services.containers().stream()
                .flatMap(container -> container.embedders().stream())
                .map(EmbedderComponent::id)
                .collect(Collectors.toSet());
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

    private Map<String, Schema> named(Map<String, Schema> schemas, Services services) {
        var named = new LinkedHashMap<String, Schema>();
        schemas.forEach((name, schema) -> {
            if (modes(Optional.of(services), name).isEmpty()) {
                findings.inform("schema " + name + ": no content cluster names it");
            } else {
                named.put(name, schema);
            }
        });
        return named;
    }
}
