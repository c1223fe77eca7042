package org.crabro.client.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Updates one document. */
@Command(
        name = "update",
        mixinStandardHelpOptions = true,
        description = "Changes fields of a document.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro document update id:home:note:g=anna:1 '{\"time\": {\"assign\": 20}}'",
            "  crabro document update id:home:note:g=anna:1 '{\"tags\": {\"add\": [\"x\"]}}' --create"
        })
final class DocumentUpdateCommand implements Callable<Integer> {
    @Mixin private DocumentCall call = new DocumentCall();

    @Mixin private FieldsArgument body = new FieldsArgument();

    @Mixin private DocumentCall.Condition condition = new DocumentCall.Condition();

    @Option(names = "--create", description = "Create the document if there is none.")
    private boolean creates;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> parameters = new ArrayList<>(condition.parameters());
        if (creates) {
            parameters.add("create=true");
        }
        return call.send("PUT", parameters, body.text());
    }
}
