package org.crabro.client.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes one document. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        description = "Writes a document. It replaces a document with the same id.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro document put id:home:note:g=anna:1 '{\"text\": \"Water the plants\"}'",
            "  crabro document put id:home:note:g=anna:1 @note.json",
            "  cat note.json | crabro document put id:home:note:g=anna:1 -"
        })
final class DocumentPutCommand implements Callable<Integer> {
    @Mixin private DocumentCall call = new DocumentCall();

    @Mixin private FieldsArgument body = new FieldsArgument();

    @Mixin private DocumentCall.Condition condition = new DocumentCall.Condition();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return call.send("POST", condition.parameters(), body.text());
    }
}
