package org.crabro.client.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the certificates of the hosts of a cluster. */
@Command(
        name = "certificates",
        mixinStandardHelpOptions = true,
        description = {
            "Makes an authority, and a certificate and a key for each host of a cluster.",
            "If the directory has an authority already, it signs the certificates of further hosts.",
            "No file is overwritten. Keep authority-key.pem away from the hosts."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro cluster certificates h1 h2 h3",
            "  crabro cluster certificates h4 --directory certificates"
        })
final class CertificatesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "HOST",
            arity = "1..*",
            description = "Name or IP address by which the other hosts connect to a host.")
    private List<String> hosts = List.of();

    @Option(
            names = "--directory",
            defaultValue = "certificates",
            description = "Directory for the files (${DEFAULT-VALUE}).")
    private Path directory = Path.of("certificates");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        List<Path> made = ClusterCertificates.make(directory, hosts);
        PrintWriter out = spec.commandLine().getOut();
        made.forEach(out::println);
        out.flush();
        return 0;
    }
}
