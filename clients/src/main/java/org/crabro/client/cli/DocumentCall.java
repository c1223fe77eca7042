package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.feed.DocumentUrl;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A request for one document. */
final class DocumentCall {
    private static final int MISSING = 404;
    private static final int CONDITION_NOT_MET = 412;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "The document's id: id:NAMESPACE:TYPE:g=GROUP:NAME, without a group ::.")
    private String id = "";

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    /** The condition of a write. */
    static final class Condition {
        @Option(
                names = "--condition",
                paramLabel = "SELECTION",
                description = "Do it only if this document selection holds: note.time < 20")
        private @Nullable String selection;

        /** Returns the parameters of the condition; empty if there is none. */
        List<String> parameters() {
            return selection == null
                    ? List.of()
                    : List.of("condition=" + URLEncoder.encode(selection, StandardCharsets.UTF_8));
        }
    }

    /**
     * Sends the request and prints the answer.
     *
     * @param body of the request; empty for none
     * @return the exit status
     * @throws ServerRefusalException if the server answers with an error
     */
    int send(String method, List<String> parameters, String body)
            throws IOException, InterruptedException {
        DocumentId document;
        try {
            document = DocumentId.parse(id);
        } catch (InvalidDocumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        List<String> all = new ArrayList<>(parameters);
        URI address = target.server().address();
        URI place =
                URI.create(
                        DocumentUrl.of(address, document)
                                + (all.isEmpty() ? "" : "?" + String.join("&", all)));
        HttpRequest.BodyPublisher sent =
                body.isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body);
        try (var calls = target.calls()) {
            HttpResponse<String> response =
                    calls.exchange(
                            target.server()
                                    .request(place)
                                    .header("Content-Type", "application/json")
                                    .method(method, sent));
            if (response.statusCode() == MISSING && method.equals("GET")) {
                return failed("there is no document " + id);
            }
            if (response.statusCode() == CONDITION_NOT_MET) {
                return failed("nothing was changed: the condition does not hold for " + id);
            }
            if (response.statusCode() != 200) {
                throw ServerRefusalException.of(response);
            }
            PrintWriter out = spec.commandLine().getOut();
            out.println(response.body());
            out.flush();
            return ExitStatus.DONE;
        }
    }

    private int failed(String message) {
        spec.commandLine().getErr().println(message);
        spec.commandLine().getErr().flush();
        return ExitStatus.FAILED;
    }
}
