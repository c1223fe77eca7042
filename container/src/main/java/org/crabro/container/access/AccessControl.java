package org.crabro.container.access;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access rules of a process. Without an access file every request has all rights.
 *
 * <p>An access file, and the token files that it names, may be replaced while the server runs: a
 * thread looks at them once a second. A file that cannot be used is logged, and the rules before
 * stay in force. Safe for use by many threads.
 */
public final class AccessControl implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    /** Every request has all rights. */
    public static final AccessControl OPEN = new AccessControl();

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final String PRINCIPAL = AccessControl.class.getName() + ".principal";
    private static final String OF_SESSION = AccessControl.class.getName() + ".session";
    private static final String BEARER = "Bearer ";

    /** The rights of a request that no handler identified: none. */
    private static final Principal NOBODY =
            new Principal("nobody", new Principal.Groups.Only(Set.of()), Set.of());

    private final @Nullable Path file;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile AccessRules rules = AccessRules.NONE;

    /** The files that were read last. For one thread. */
    private Map<Path, FileStamp> stamps = Map.of();

    private AccessControl() {
        this.file = null;
    }

    private AccessControl(Path file) {
        this.file = file;
        var reader = new AccessFile(file, Map.of());
        this.rules = reader.read();
        this.stamps = reader.stamps();
    }

    /** The principal of a TLS session's certificate under some rules, cached in the session. */
    private record OfSession(AccessRules rules, Identified identified) {}

    /**
     * Reads an access file, and watches it until this is closed.
     *
     * @throws InvalidAccessFileException if it cannot be used
     */
    public static AccessControl of(Path file) {
        var access = new AccessControl(file);
        Thread.ofPlatform().daemon().name("access-file").start(access::watch);
        return access;
    }

    /** Reads an access file that is only checked for changes when {@link #look} is called. */
    static AccessControl unwatched(Path file) {
        return new AccessControl(file);
    }

    /** Returns whether every request has all rights. */
    public boolean isOpen() {
        return file == null;
    }

    /** Returns whether the access file has a principal of this name. */
    public boolean hasPrincipal(String name) {
        return rules.names().contains(name);
    }

    /**
     * Returns the sender of a request that an {@link AccessHandler} accepted.
     *
     * @return a principal without rights if none did
     */
    public static Principal principal(Request request) {
        return request.getAttribute(PRINCIPAL) instanceof Principal principal ? principal : NOBODY;
    }

    /** Records the sender of a request. */
    static void identified(Request request, Principal principal) {
        request.setAttribute(PRINCIPAL, principal);
    }

    /** Which entry the credentials of a request belong to. */
    sealed interface Identified {
        /** An entry with credentials. */
        record Authenticated(AccessEntry entry) implements Identified {}

        /** There are no credentials. */
        record Anonymous(AccessEntry entry) implements Identified {}

        /** A token that no entry has. */
        record UnknownToken() implements Identified {}

        /** A certificate that no entry has. */
        record UnknownCertificate(X509Certificate certificate) implements Identified {}
    }

    /**
     * Returns the principal of a request by its credentials. A token has precedence over a
     * certificate.
     */
    Identified identify(Request request) {
        AccessRules current = rules;
        Optional<String> token = token(request);
        if (token.isPresent()) {
            return current.ofToken(token.get())
                    .<Identified>map(Identified.Authenticated::new)
                    .orElseGet(Identified.UnknownToken::new);
        }
        if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                        instanceof EndPoint.SslSessionData session
                && session.peerCertificates() != null
                && session.peerCertificates().length > 0) {
            return ofSession(current, session);
        }
        return new Identified.Anonymous(current.anonymous());
    }

    /** The rules are compared by identity: a cached result is valid for the same rules only. */
    @SuppressWarnings("ReferenceEquality")
    private static Identified ofSession(AccessRules current, EndPoint.SslSessionData session) {
        SSLSession tls = session.sslSession();
        if (tls.getValue(OF_SESSION) instanceof OfSession(AccessRules rules, Identified user)
                && rules == current) {
            return user;
        }
        X509Certificate certificate = session.peerCertificates()[0];
        Identified identified =
                current.ofCertificate(certificate)
                        .<Identified>map(Identified.Authenticated::new)
                        .orElseGet(() -> new Identified.UnknownCertificate(certificate));
        tls.putValue(OF_SESSION, new OfSession(current, identified));
        return identified;
    }

    private static Optional<String> token(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(header.substring(BEARER.length()).strip())
                : Optional.empty();
    }

    private void watch() {
        try {
            while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the file again if it, or a file that it names, has changed. */
    void look() {
        Path path = file;
        AccessRules before = rules;
        if (path == null || stamps.entrySet().stream().allMatch(this::isSame)) {
            return;
        }
        var reader = new AccessFile(path, before.rates());
        try {
            AccessRules read = reader.read();
            rules = read;
            LOG.info(
                    "the access file '{}' was read again: {} tokens, {} certificate patterns",
                    path,
                    read.tokens().size(),
                    read.certificates().size());
        } catch (InvalidAccessFileException e) {
            LOG.error(
                    "the access file '{}' has changed and cannot be used; the rules before stay in"
                            + " force:\n{}",
                    path,
                    e.getMessage());
        } finally {
            stamps = reader.stamps();
        }
    }

    private boolean isSame(Map.Entry<Path, FileStamp> stamp) {
        return FileStamp.of(stamp.getKey()).equals(stamp.getValue());
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
