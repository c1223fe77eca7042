package org.crabro.container.admin;

import java.util.Optional;
import org.crabro.container.http.UnreadBody;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.CallerRules;
import org.crabro.protocol.transport.CertificateNames;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.SessionNames;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Gives forwarded requests the address to which their clients sent them, for URLs in answers. The
 * config server that forwards has checked the permissions, so with certificates the requests of all
 * others are refused.
 */
final class ForwardedRequests extends Handler.Wrapper {
    /** The headers with the address: scheme, host, and port. */
    static final String SCHEME = "X-Forwarded-Proto";

    static final String HOST = "X-Forwarded-Host";
    static final String PORT = "X-Forwarded-Port";

    private final ConfigPort.Peers peers;

    ForwardedRequests(Handler handler, ConfigPort.Peers peers) {
        super(handler);
        this.peers = peers;
    }

    private Optional<String> refusal(Request request) {
        if (peers.security().tls().isEmpty()) {
            return Optional.empty();
        }
        CertificateNames shown =
                request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                                instanceof EndPoint.SslSessionData session
                        ? SessionNames.of(session.sslSession())
                        : CertificateNames.NONE;
        return CallerRules.refusal(
                AllowedCallers.CONFIG_SERVERS,
                shown,
                new ClusterHosts(Optional::empty, peers.hosts()));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<String> refusal = refusal(request);
        if (refusal.isPresent()) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent -> AdminError.FORBIDDEN.send(response, sent, refusal.get()));
            return true;
        }
        @Nullable String scheme = request.getHeaders().get(SCHEME);
        @Nullable String host = request.getHeaders().get(HOST);
        @Nullable String port = request.getHeaders().get(PORT);
        if (scheme == null || host == null || port == null || !port.matches("[0-9]{1,5}")) {
            return super.handle(request, response, callback);
        }
        HttpURI uri =
                HttpURI.build(request.getHttpURI())
                        .scheme(scheme)
                        .host(host)
                        .port(Integer.parseInt(port))
                        .asImmutable();
        return super.handle(
                new Request.Wrapper(request) {
                    @Override
                    public HttpURI getHttpURI() {
                        return uri;
                    }
                },
                response,
                callback);
    }
}
