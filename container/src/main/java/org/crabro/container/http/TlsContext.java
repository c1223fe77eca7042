package org.crabro.container.http;

import java.util.List;
import org.crabro.protocol.transport.PemFiles;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.ssl.X509;

/** The TLS context of a listener, from its settings and the files that they name. */
final class TlsContext {
    private TlsContext() {}

    /**
     * Reads the files and returns a context.
     *
     * @throws IllegalArgumentException if a file is invalid, or no cipher suite is left; the
     *     message names it
     */
    static SslContextFactory.Server of(TlsSettings settings) {
        var context = new SslContextFactory.Server();
        apply(settings, context);
        return context;
    }

    /**
     * Applies {@code settings} and the current content of their files to new connections. Open
     * connections do not change.
     *
     * @throws IllegalArgumentException as above; nothing has changed then
     */
    static void renew(SslContextFactory.Server context, TlsSettings settings) {
        check(settings);
        try {
            context.reload(_ -> apply(settings, context));
        } catch (Exception e) {
            throw new IllegalArgumentException("cannot speak TLS with " + settings + ": " + e, e);
        }
    }

    /**
     * Checks that a listener can start with these settings.
     *
     * @throws IllegalArgumentException as above
     */
    static void check(TlsSettings settings) {
        SslContextFactory.Server tried = of(settings);
        try {
            tried.start();
            List<String> supported =
                    List.of(tried.getSslContext().getSupportedSSLParameters().getCipherSuites());
            for (String suite : settings.algorithms().cipherSuites()) {
                if (!supported.contains(suite)) {
                    throw new IllegalArgumentException("there is no cipher suite '" + suite + "'");
                }
            }
            if (tried.getSelectedCipherSuites().length == 0) {
                throw new IllegalArgumentException(
                        "none of the cipher suites is sound: "
                                + settings.algorithms().cipherSuites());
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalArgumentException("cannot speak TLS with " + settings + ": " + e, e);
        } finally {
            stop(tried);
        }
    }

    /** Returns whether the certificate of the server is valid for {@code host}. */
    static boolean names(SslContextFactory.Server context, String host) {
        X509 certificate = context.getX509(PemFiles.SERVER);
        return certificate != null && certificate.matches(host);
    }

    private static void stop(SslContextFactory.Server tried) {
        try {
            tried.stop();
        } catch (Exception e) {
            throw new IllegalStateException("a TLS context did not stop", e);
        }
    }

    private static void apply(TlsSettings settings, SslContextFactory.Server context) {
        context.setKeyStore(PemFiles.identity(settings.privateKey(), settings.certificates()));
        context.setKeyStorePassword("");
        context.setTrustStore(
                settings.clientAuthorities().isEmpty() && settings.listed().isEmpty()
                        ? null
                        : PemFiles.trusted(settings.clientAuthorities(), settings.listed()));
        context.setNeedClientAuth(settings.clients() == TlsSettings.Clients.KNOWN);
        context.setWantClientAuth(settings.clients() == TlsSettings.Clients.ASKED);
        context.setIncludeCipherSuites(settings.algorithms().cipherSuites().toArray(String[]::new));
        context.setIncludeProtocols(settings.algorithms().protocols().toArray(String[]::new));
    }
}
