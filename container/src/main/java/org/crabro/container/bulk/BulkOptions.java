package org.crabro.container.bulk;

import java.time.Duration;
import java.util.Optional;
import org.crabro.container.document.DocumentParameters;
import org.crabro.document.json.TensorFormat;

/**
 * What the parameters of a bulk request say of all of its lines.
 *
 * @param timeout how long each operation may take
 * @param answersAll whether lines are answered of which there is nothing to say
 * @param isStrict whether an update that finds no document is told as 404
 * @param isDryRun whether lines are read and nothing is written
 * @param isTraced whether lines and the totals tell what was done
 * @param shown the form of documents that are read
 */
record BulkOptions(
        Duration timeout,
        boolean answersAll,
        boolean isStrict,
        boolean isDryRun,
        boolean isTraced,
        Shown shown) {
    /**
     * The form of documents that are read.
     *
     * @param fieldSet empty for the fields of the document type
     * @param withEmpties whether empty texts and collections are shown
     */
    record Shown(TensorFormat tensors, Optional<String> fieldSet, boolean withEmpties) {}

    private static final int TRACE_LEVEL_MAX = 9;

    /**
     * @param timeout where the request says none
     * @throws org.crabro.container.document.InvalidRequestException if a parameter is wrong
     */
    static BulkOptions of(DocumentParameters parameters, Duration timeout) {
        Optional<String> route = parameters.text("route");
        if (route.isPresent() && !route.get().equals("default")) {
            throw DocumentParameters.invalid(
                    "there is no route '" + route.get() + "', only 'default'");
        }
        return new BulkOptions(
                parameters.time("timeout").orElse(timeout),
                answersAll(parameters.text("answers").orElse("all")),
                parameters.flag("strict"),
                parameters.dryRun() != DocumentParameters.DryRun.NONE,
                parameters.number("tracelevel", TRACE_LEVEL_MAX) > 0,
                new Shown(
                        parameters
                                .text("format.tensors")
                                .map(TensorFormat::of)
                                .orElse(TensorFormat.SHORT),
                        parameters.text("fieldSet"),
                        parameters.flag("empties")));
    }

    /** Returns what holds where a request says nothing. */
    static BulkOptions withTimeout(Duration timeout) {
        return new BulkOptions(
                timeout,
                true,
                false,
                false,
                false,
                new Shown(TensorFormat.SHORT, Optional.empty(), false));
    }

    private static boolean answersAll(String answers) {
        return switch (answers) {
            case "all" -> true;
            case "failed" -> false;
            default ->
                    throw DocumentParameters.invalid(
                            "'%s' of 'answers' is neither 'all' nor 'failed'".formatted(answers));
        };
    }
}
