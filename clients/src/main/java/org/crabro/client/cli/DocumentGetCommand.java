package org.crabro.client.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads one document. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        description = "Prints a document as JSON. The exit status is 1 if there is none.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro document get id:home:note:g=anna:1",
            "  crabro document get id:home:note:g=anna:1 --fields note:text,time"
        })
final class DocumentGetCommand implements Callable<Integer> {
    @Mixin private DocumentCall call = new DocumentCall();

    @Option(
            names = "--fields",
            paramLabel = "FIELDSET",
            description = "The fields to print: TYPE:NAME,NAME (those of the document block).")
    private String fieldSet = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        return call.send(
                "GET",
                fieldSet.isEmpty() ? List.of() : List.of("fieldSet=" + GroupName.encoded(fieldSet)),
                "");
    }
}
