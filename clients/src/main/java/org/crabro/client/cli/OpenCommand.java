package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.terminal.Browser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens the web console of a server in the browser. */
@Command(
        name = "open",
        mixinStandardHelpOptions = true,
        description = {
            "Opens the web console of a server in the browser, and prints its address.",
            "Without a desktop it only prints the address."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro open", "  crabro open --print"})
public final class OpenCommand implements Callable<Integer> {
    private static final String CONSOLE = "/console/";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--print", description = "Only print the address.")
    private boolean isPrinted;

    @Mixin private ConfigTarget target = new ConfigTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        URI console = target.address().resolve(CONSOLE);
        try (var calls = target.calls()) {
            HttpResponse<String> answer = calls.exchange(calls.request(console).GET());
            if (answer.statusCode() != 200) {
                throw ServerRefusalException.of(answer);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(console);
        out.flush();
        if (!isPrinted && !Browser.ofThisMachine().open(console)) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("No browser was started: open the address above in one.");
            err.flush();
        }
        return ExitStatus.DONE;
    }
}
