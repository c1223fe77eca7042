package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.client.http.ClientTls;
import org.crabro.client.http.ServerAccess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The credentials of a command's requests. */
final class CredentialOptions {
    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:CRABRO_TOKEN}",
            description =
                    "Bearer token, for a server with --access. The environment variable"
                            + " CRABRO_TOKEN sets it too, and is not visible in lists of"
                            + " processes.")
    private @Nullable String token;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:CRABRO_CACERT}",
            description = "Certificates to trust instead of those of the Java runtime, as PEM.")
    private @Nullable Path authorities;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            defaultValue = "${env:CRABRO_CERT}",
            description = "The client's certificate, as PEM; needs --key.")
    private @Nullable Path certificate;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            defaultValue = "${env:CRABRO_KEY}",
            description = "The key of --cert, as PEM in PKCS #8 without a password.")
    private @Nullable Path key;

    /**
     * Returns access to a port with these credentials.
     *
     * @throws IOException if a file cannot be read
     */
    ServerAccess access(URI address) throws IOException {
        ServerAccess access = ServerAccess.of(address).withToken(token == null ? "" : token);
        Optional<ClientTls.Identity> identity = identity();
        return authorities == null && identity.isEmpty()
                ? access
                : access.withTls(ClientTls.of(Optional.ofNullable(authorities), identity));
    }

    private Optional<ClientTls.Identity> identity() throws IOException {
        Path first = certificate;
        Path second = key;
        if (first == null && second == null) {
            return Optional.empty();
        }
        if (first == null || second == null) {
            throw new IOException("--cert and --key belong together: one is missing");
        }
        return Optional.of(new ClientTls.Identity(first, second));
    }
}
