package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.http.UnreachableServerException;
import org.crabro.client.query.UnclearGroupException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints the failure of a command, and what to do next. */
public final class CommandErrors implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
            Exception failure, CommandLine command, ParseResult arguments) {
        PrintWriter err = command.getErr();
        err.println(command.getColorScheme().errorText(message(failure)));
        String advice = advice(failure);
        if (!advice.isEmpty()) {
            err.println(advice);
        }
        err.flush();
        return switch (failure) {
            case UnreachableServerException _ -> ExitStatus.UNREACHABLE;
            case UnclearGroupException _ -> ExitStatus.USAGE;
            default -> ExitStatus.FAILED;
        };
    }

    static String message(Exception failure) {
        return switch (failure) {
            case NoSuchFileException e -> "there is no file or directory " + e.getMessage();
            case AccessDeniedException e -> "no permission for " + e.getMessage();
            case ServerRefusalException e -> inWordsOfOptions(String.valueOf(e.getMessage()));
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }

    /** Returns a message of a server with the options that set its parameters. */
    private static String inWordsOfOptions(String message) {
        return message.replace("streaming.groupnames", "several groups")
                .replace("streaming.groupname", "--group")
                .replace("streaming.selection", "--all-groups");
    }

    /** Returns what to do next; empty if the message says it. */
    static String advice(Exception failure) {
        return switch (failure) {
            case UnreachableServerException e when e.isUnknownHost() ->
                    "Check the name in --target (documents and queries) or --config (packages).";
            case UnreachableServerException _ ->
                    "Start a server with 'crabro serve', or name another one with --target (documents"
                            + " and queries) or --config (packages).";
            case ServerRefusalException e when e.status() == 401 ->
                    "The server needs a token: --token, or the environment variable CRABRO_TOKEN.";
            case ServerRefusalException e when e.status() == 403 ->
                    "The token or the certificate has no permission for this.";
            case ServerRefusalException e when e.status() == 429 || e.status() == 503 ->
                    "The server is busy or has no application yet. Try again, or see 'crabro status'.";
            case javax.net.ssl.SSLException _ ->
                    "For a server with TLS, use an https address and name its authority with --cacert.";
            case IOException _ -> "";
            default -> "";
        };
    }
}
