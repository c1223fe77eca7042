package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crabro.client.deploy.SchemaChoice;
import org.crabro.client.deploy.StampedSchema;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.imports.Embedding;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.models.ModelDirectory;

/** Chooses the schema of an import, writes its package and deploys it. */
final class ImportDeployment {
    private static final String EMBED = "--embed";

    private final GuessedSchema data;
    private final Path directory;
    private final ImportArguments arguments;
    private final boolean isReplacing;
    private final Optional<ModelDirectory> model;
    private final PrintWriter out;
    private Optional<Embedding> embedding = Optional.empty();

    /**
     * @param data the schema that fits the data
     * @param directory of the package
     * @param isReplacing whether the schema of the data is used in any case
     * @param model that makes vectors of texts; empty if the user names none
     */
    ImportDeployment(
            GuessedSchema data,
            Path directory,
            ImportArguments arguments,
            boolean isReplacing,
            Optional<ModelDirectory> model,
            PrintWriter out) {
        this.data = data;
        this.directory = directory;
        this.arguments = arguments;
        this.isReplacing = isReplacing;
        this.model = model;
        this.out = out;
    }

    /**
     * Chooses a schema, writes it and deploys it if it is not deployed.
     *
     * @param packages the port for packages
     * @param given a schema that the user names
     * @throws IOException if the deployed schema and that of the package were both edited, or the
     *     server rejects the schema; the message has commands that go on
     */
    void run(ServerCalls calls, ServerAccess packages, Optional<Path> given)
            throws IOException, InterruptedException {
        Map<String, byte[]> deployed = ImportPackage.deployed(calls, packages);
        SchemaChoice choice = choice(deployed, given);
        write(choice);
        StampedSchema schema = choice.schema().deployed();
        boolean isDeployed =
                choice.origin() == SchemaChoice.Origin.DEPLOYED
                        || ImportPackage.schema(deployed, data.typeName())
                                .filter(schema::equals)
                                .isPresent();
        boolean addsTools = isReplacing && ImportPackage.addTools(deployed);
        if (isDeployed && !addsTools) {
            return;
        }
        byte[] zip = ImportPackage.zip(deployed, directory, data.typeName(), schema);
        try {
            calls.deploy(packages.address(), zip);
        } catch (ServerRefusalException e) {
            if (ImportPackage.schema(deployed, data.typeName()).isEmpty()) {
                throw e;
            }
            throw new IOException(
                    """
                    %s
                    To use the deployed schema:
                      %s
                    To store the data as another type:
                      %s\
                    """
                            .formatted(
                                    e.getMessage(),
                                    arguments.with("--no-deploy"),
                                    arguments.with("--type", data.typeName() + "_2")),
                    e);
        }
        out.printf("Deployed to %s.%n", packages.address());
    }

    /**
     * Returns the schema to be used.
     *
     * @param deployed the files of the deployed application
     * @param given a schema that the user names
     */
    SchemaChoice choice(Map<String, byte[]> deployed, Optional<Path> given) throws IOException {
        Optional<StampedSchema> remote = ImportPackage.schema(deployed, data.typeName());
        Optional<StampedSchema> local = ImportPackage.schema(directory, data.typeName());
        StampedSchema guessed = StampedSchema.guessed(data.text(wanted(local.or(() -> remote))));
        if (given.isPresent()) {
            return SchemaChoice.of(
                    guessed,
                    Optional.of(new StampedSchema(Files.readString(given.get()))),
                    Optional.empty());
        }
        SchemaChoice choice =
                isReplacing
                        ? SchemaChoice.replacing(guessed, local, remote)
                        : SchemaChoice.of(guessed, local, remote);
        if (choice.origin() == SchemaChoice.Origin.CONFLICT) {
            throw conflict(choice);
        }
        return choice;
    }

    /**
     * Returns the vectors of the schema that fits the data: those of the model that the user names,
     * or those that there are.
     *
     * @param present the schema of the package or of the server
     */
    private Optional<Embedding> wanted(Optional<StampedSchema> present) throws IOException {
        Optional<Embedding> before =
                present.filter(_ -> !isReplacing)
                        .flatMap(schema -> Embedding.in(schema.text()))
                        .filter(data::hasTexts);
        if (model.isEmpty()) {
            return before;
        }
        String component = model.get().component();
        Optional<Embedding> same = before.filter(each -> each.component().equals(component));
        if (same.isPresent()) {
            return same;
        }
        Optional<Embedding> made = Embedding.of(data, component, model.get().size());
        if (made.isEmpty()) {
            throw new IOException(
                    "--embed makes vectors of texts, and the data have none. Without vectors:%n  %s"
                            .formatted(arguments.withoutOption(EMBED)));
        }
        return made;
    }

    /** Returns the query profile by words and meaning; empty if the schema has no vectors. */
    Optional<String> queryProfile() {
        return embedding.map(_ -> ImportEmbedder.queryProfile(data.typeName()));
    }

    /** Writes the embedder of a schema into the package, or prints that the schema has none. */
    private void writeEmbedder(StampedSchema schema) throws IOException {
        embedding = Embedding.in(schema.text());
        if (model.isEmpty()) {
            return;
        }
        String component = model.get().component();
        Optional<Embedding> used = embedding.filter(each -> each.component().equals(component));
        if (used.isEmpty()) {
            out.printf(
                    "The schema of %s has no vectors of the model of %s. To derive it with them:%n  %s%n",
                    data.typeName(), EMBED, arguments.with("--replace"));
        } else if (Files.exists(directory.resolve("services.xml"))) {
            new ImportEmbedder(directory, data.typeName(), used.get()).write(model.get());
        }
    }

    private IOException conflict(SchemaChoice choice) {
        Path file = ImportPackage.file(directory, data.typeName());
        return new IOException(
                """
                The deployed schema of %s and %s were both edited. From the deployed one to the file:
                %s
                To use the file:
                  %s
                To use the deployed one:
                  %s
                To derive the schema from the data:
                  %s\
                """
                        .formatted(
                                data.typeName(),
                                file,
                                String.join("\n", choice.difference()),
                                arguments.with("--schema", file.toString()),
                                arguments.with("--no-deploy"),
                                arguments.with("--replace")));
    }

    /** Writes the package of a choice, and prints what is used. */
    void write(SchemaChoice choice) throws IOException {
        Path file = ImportPackage.file(directory, data.typeName());
        switch (choice.origin()) {
            case DATA ->
                    out.printf(
                            Locale.ROOT,
                            "%,d records. This schema fits them; it is in %s:%n%n%s%n",
                            data.count(),
                            file,
                            choice.schema().body());
            case EXTENDED -> {
                out.printf("The data have more fields. %s gets them:%n", file);
                choice.difference().forEach(out::println);
            }
            case REPLACED -> {
                out.printf("The schema in %s is derived from the data.", file);
                out.println(
                        choice.difference().isEmpty() ? " It has not changed." : " It changes:");
                choice.difference().forEach(out::println);
            }
            case PACKAGE -> out.printf("The package in %s is used as it is.%n", directory);
            case DEPLOYED ->
                    out.printf("The deployed schema of %s is used as it is.%n", data.typeName());
            case CONFLICT -> throw conflict(choice);
        }
        boolean isWritten =
                choice.origin() == SchemaChoice.Origin.DEPLOYED
                        ? Files.exists(file)
                        : !ImportPackage.schema(directory, data.typeName())
                                .filter(choice.schema()::equals)
                                .isPresent();
        if (isWritten) {
            ImportPackage.write(directory, data.typeName(), choice.schema());
        }
        if (isReplacing && ImportPackage.addTools(directory)) {
            out.printf("services.xml in %s gets the tools for assistants.%n", directory);
        }
        writeEmbedder(choice.schema());
    }
}
