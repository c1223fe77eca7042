package org.crabro.client.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes one document. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = "Removes a document. It is no error if there is none.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro document remove id:home:note:g=anna:1",
            "  crabro document remove id:home:note:g=anna:1 --condition 'note.time < 20'"
        })
final class DocumentRemoveCommand implements Callable<Integer> {
    @Mixin private DocumentCall call = new DocumentCall();

    @Mixin private DocumentCall.Condition condition = new DocumentCall.Condition();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return call.send("DELETE", condition.parameters(), "");
    }
}
