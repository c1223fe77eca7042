package org.crabro.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields that a command writes. */
final class FieldsArgument {
    private static final JsonMapper JSON = new JsonMapper();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "+",
            paramLabel = "FIELDS",
            description =
                    "The fields as a JSON object, @FILE for those in a file, or - for those on"
                            + " standard input. A whole operation with a member \"fields\" is"
                            + " accepted too.")
    private String given = "";

    /** Returns the body of the request. */
    String text() throws IOException {
        String text =
                given.equals("-")
                        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                        : given.startsWith("@")
                                ? Files.readString(Path.of(given.substring(1)))
                                : given;
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JacksonException e) {
            throw new ParameterException(
                    spec.commandLine(), "the fields are no JSON: " + e.getOriginalMessage(), e);
        }
        if (!json.isObject()) {
            throw new ParameterException(
                    spec.commandLine(), "expected the fields as a JSON object: {\"name\": value}");
        }
        return json.path("fields").isObject()
                ? json.toString()
                : "{\"fields\":" + json.toString() + "}";
    }
}
