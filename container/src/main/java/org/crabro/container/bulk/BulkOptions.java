package org.crabro.container.bulk;

import java.time.Duration;
import java.util.Optional;
import org.crabro.container.document.DocumentParameters;
import org.crabro.document.json.TensorFormat;

/**
 * The parameters of a bulk request, which apply to all of its lines.
 *
 * @param timeout of each operation
 * @param answersAll whether plain successes are answered, too
 * @param isStrict whether an update without a document gets status 404, and only {@code true} and
 *     {@code false} are read as a bool
 * @param isDryRun whether lines are checked and nothing is written
 * @param isTraced whether lines and totals contain a trace
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
     * @param timeout of requests that name none
     * @throws org.crabro.container.document.InvalidRequestException if a parameter is wrong
     */
    static BulkOptions of(DocumentParameters parameters, Duration timeout) {
        Optional<String> route = parameters.text("route");
        if (route.isPresent() && !route.get().equals("default")) {
            throw DocumentParameters.invalid(
                    "there is no route '" + route.get() + "', only 'default'");
        }
        parameters.requireNumbers();
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

    /** Returns the defaults, with this timeout. */
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
