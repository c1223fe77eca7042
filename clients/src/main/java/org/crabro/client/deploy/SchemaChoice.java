package org.crabro.client.deploy;

import java.util.List;
import java.util.Optional;

/**
 * Which schema an import uses: the one that fits the data, that of the package, or the deployed
 * one. An edited schema is used first.
 *
 * @param schema to be used
 * @param origin from where it is
 * @param difference what changes by it, a line for each
 */
public record SchemaChoice(StampedSchema schema, Origin origin, List<String> difference) {
    public SchemaChoice {
        difference = List.copyOf(difference);
    }

    /** From where a schema is. */
    public enum Origin {
        /** It fits the data, and there was no other. */
        DATA,
        /** It fits the data, and has more fields than the one before, which is not edited. */
        EXTENDED,
        /** It fits the data, and the user wants it instead of another one. */
        REPLACED,
        /** It is in the package. */
        PACKAGE,
        /** A server has it. */
        DEPLOYED,
        /** Both that of the package and the deployed one were edited. None is used. */
        CONFLICT
    }

    /**
     * Chooses a schema.
     *
     * @param data the one that fits the data
     * @param local the one of the package
     * @param deployed the one of a server
     */
    public static SchemaChoice of(
            StampedSchema data, Optional<StampedSchema> local, Optional<StampedSchema> deployed) {
        if (local.isEmpty() && deployed.isEmpty()) {
            return new SchemaChoice(data, Origin.DATA, List.of());
        }
        SchemaChoice present = present(local, deployed);
        if (present.origin == Origin.CONFLICT
                || present.schema.kind() != StampedSchema.Kind.GUESSED) {
            return present;
        }
        List<String> difference = LineDifference.lines(present.schema.body(), data.body());
        return isExtension(difference)
                ? new SchemaChoice(data, Origin.EXTENDED, difference)
                : present;
    }

    /** Returns the schema that fits the data, with its difference to the one that is used now. */
    public static SchemaChoice replacing(
            StampedSchema data, Optional<StampedSchema> local, Optional<StampedSchema> deployed) {
        StampedSchema before =
                local.filter(_ -> present(local, deployed).origin != Origin.DEPLOYED)
                        .or(() -> deployed)
                        .orElse(data);
        return new SchemaChoice(
                data, Origin.REPLACED, LineDifference.lines(before.body(), data.body()));
    }

    private static SchemaChoice present(
            Optional<StampedSchema> local, Optional<StampedSchema> deployed) {
        if (deployed.isEmpty()) {
            return new SchemaChoice(local.orElseThrow(), Origin.PACKAGE, List.of());
        }
        if (local.isEmpty()) {
            return new SchemaChoice(deployed.get(), Origin.DEPLOYED, List.of());
        }
        boolean isDeployedByHand = deployed.get().kind() == StampedSchema.Kind.EDITED;
        if (!isDeployedByHand || local.get().body().equals(deployed.get().body())) {
            return new SchemaChoice(local.get(), Origin.PACKAGE, List.of());
        }
        return local.get().kind() == StampedSchema.Kind.GUESSED
                ? new SchemaChoice(deployed.get(), Origin.DEPLOYED, List.of())
                : new SchemaChoice(
                        deployed.get(),
                        Origin.CONFLICT,
                        LineDifference.lines(deployed.get().body(), local.get().body()));
    }

    /** Returns whether lines are only added, besides those that list all fields. */
    private static boolean isExtension(List<String> difference) {
        return difference.stream().anyMatch(line -> line.startsWith("+"))
                && difference.stream()
                        .filter(line -> line.startsWith("-"))
                        .map(line -> line.substring(1).strip())
                        .allMatch(line ->
                                line.startsWith("fields: ")
                                        || line.startsWith("expression: bm25("));
    }
}
