package org.crabro.perf.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.IgnoredPaths;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.application.PackagePath;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.rules.RuleBase;
import org.crabro.config.rules.RuleBaseLinker;
import org.crabro.config.rules.RuleBases;
import org.crabro.container.rules.RewrittenQuery;
import org.crabro.container.rules.RuleLimitException;
import org.crabro.container.rules.RuleOperator;
import org.crabro.container.rules.RuleQuery;
import org.crabro.container.rules.RuleRewriter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;

/** The files of an application package, and the archives that packages come in. */
final class PackageTargets {
    private PackageTargets() {}

    static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText(
                        "schemas", text -> SchemaParser.parse(new SourceText("all.sd", text))),
                FuzzTarget.ofText(
                        "rank-profiles",
                        text -> SchemaParser.parseProfile(new SourceText("p.profile", text))),
                file("packaged-schemas", FuzzedApplication.SCHEMA),
                file("services", "services.xml"),
                file("hosts", "hosts.xml"),
                file("query-profiles", "search/query-profiles/default.xml"),
                file("query-profile-types", "search/query-profiles/types/root.xml"),
                file("validation-overrides", "validation-overrides.xml"),
                file("deployments", "deployment.xml"),
                file("config-definitions", "configdefinitions/fuzzed.def"),
                FuzzTarget.ofText("semantic-rules", PackageTargets::rules, RuleLimitException.class)
                        .slow(),
                FuzzTarget.ofText(
                        "ignored-paths",
                        text -> IgnoredPaths.parse(text).contains("schemas/all.sd"),
                        InvalidPackageException.class),
                FuzzTarget.ofText(
                        "package-paths", PackageTargets::path, InvalidPackageException.class),
                archive("zip-archives", PackageArchive.Format.ZIP),
                archive("tar-archives", PackageArchive.Format.TAR_GZIP));
    }

    /** The input is a file of an application whose other files are right. */
    private static FuzzTarget file(String name, String path) {
        return FuzzTarget.ofText(
                        name,
                        text -> ApplicationCompiler.compile(FuzzedApplication.with(path, text), 1),
                        InvalidApplicationException.class)
                .slow();
    }

    /** Reads a rule base. Without problems, it rewrites a query. */
    private static void rules(String text) {
        RuleBases bases =
                RuleBaseLinker.read(
                        FuzzedApplication.with("rules/fuzzed.sr", text), new Findings());
        RuleBase base = bases.byName().get("fuzzed");
        if (base != null) {
            var words = new ArrayList<QueryNode>();
            for (String word : List.of("a", "b", "new", "york", "a", "7")) {
                words.add(new QueryNode.Term("default", word, TermSettings.DEFAULT));
            }
            RewrittenQuery rewritten =
                    RuleRewriter.rewrite(
                            base,
                            new RuleQuery(
                                    new QueryNode.And(words),
                                    Map.of("a", "b"),
                                    "default",
                                    RuleOperator.AND,
                                    TermSettings.DEFAULT,
                                    50));
            rewritten.tree().ifPresent(QueryText::of);
        }
    }

    private static void path(String text) {
        String normalized = PackagePath.normalized(text);
        if (!normalized.equals(PackagePath.normalized(normalized))) {
            throw new AssertionError(normalized + " is not normalized");
        }
        ApplicationName.parse(text);
    }

    private static FuzzTarget archive(String name, PackageArchive.Format format) {
        return FuzzTarget.ofBytes(
                        name, archive -> unpack(archive, format), InvalidPackageException.class)
                .slow();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        }
        return compressed.toByteArray();
    }

    /** A tar archive is compressed first. */
    private static void unpack(byte[] archive, PackageArchive.Format format) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file =
                    directory.write(
                            "archive",
                            format == PackageArchive.Format.ZIP ? archive : gzip(archive));
            Path into = Files.createDirectory(directory.path().resolve("into"));
            PackageArchive.unpack(file, format, into, PackageLimits.DEFAULT);
        }
    }
}
