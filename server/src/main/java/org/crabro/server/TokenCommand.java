package org.crabro.server;

import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import org.crabro.container.access.TokenHash;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes a bearer token. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a new random token, and its hash for an access file.",
            "Nothing stores the token: give it to the client."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro token"})
final class TokenCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        String token = TokenHash.newToken(new SecureRandom());
        PrintWriter out = spec.commandLine().getOut();
        out.println("token " + token);
        out.println("hash  " + TokenHash.of(token));
        out.flush();
        return 0;
    }
}
