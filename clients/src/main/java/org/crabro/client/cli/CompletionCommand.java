package org.crabro.client.cli;

import java.io.PrintWriter;
import org.crabro.client.terminal.FishCompletion;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that completes commands and options in a shell. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that completes commands and options in a shell.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(crabro completion bash)                in ~/.bashrc",
            "  source <(crabro completion zsh)                 in ~/.zshrc",
            "  crabro completion fish | source                 in ~/.config/fish/config.fish"
        })
public final class CompletionCommand implements Runnable {
    /** The shells that have a script. */
    public enum Shell {
        /** The shell of most systems. */
        BASH,
        /** It runs the script of bash in its own compatibility mode. */
        ZSH,
        /** It has a language of its own. */
        FISH
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        switch (shell) {
            case BASH -> out.println(AutoComplete.bash(spec.root().name(), root));
            case ZSH -> {
                out.println("autoload -Uz compinit bashcompinit && compinit && bashcompinit");
                out.println(AutoComplete.bash(spec.root().name(), root));
            }
            case FISH -> out.println(FishCompletion.of(root));
        }
        out.flush();
    }
}
