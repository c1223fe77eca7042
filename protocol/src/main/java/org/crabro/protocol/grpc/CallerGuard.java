package org.crabro.protocol.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.CallerRules;
import org.crabro.protocol.transport.CertificateNames;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.SessionNames;

/**
 * Decides at a port of a cluster who may call which method, by {@link CallerRules}. A method that
 * is not of a {@link GuardedService} is refused. Without certificates, all callers count.
 */
public final class CallerGuard implements ServerInterceptor {
    /** The names of the certificate of the caller; none without certificates. */
    private static final Context.Key<CertificateNames> SHOWN = Context.key("crabro-certificate");

    private final Map<String, AllowedCallers> callers;
    private final ClusterHosts hosts;
    private final boolean isChecked;

    private CallerGuard(
            Map<String, AllowedCallers> callers, ClusterHosts hosts, boolean isChecked) {
        this.callers = callers;
        this.hosts = hosts;
        this.isChecked = isChecked;
    }

    /**
     * Returns a server that answers services, with TLS if {@code security} has certificates. No
     * other class builds a server.
     */
    public static Server guard(
            NettyServerBuilder port,
            NodeSecurity security,
            ClusterHosts hosts,
            List<GuardedService> services) {
        Map<String, AllowedCallers> callers = new HashMap<>();
        for (GuardedService each : services) {
            port.addService(each.definition());
            callers.putAll(each.callers());
        }
        security.tls().ifPresent(tls -> port.sslContext(NodeTls.server(tls)));
        return port.intercept(
                        new CallerGuard(Map.copyOf(callers), hosts, security.tls().isPresent()))
                .build();
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        AllowedCallers from =
                callers.getOrDefault(
                        call.getMethodDescriptor().getFullMethodName(), AllowedCallers.NONE);
        if (!isChecked && from != AllowedCallers.NONE) {
            return next.startCall(call, headers);
        }
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        CertificateNames shown = session == null ? CertificateNames.NONE : SessionNames.of(session);
        Optional<String> refusal = CallerRules.refusal(from, shown, hosts);
        if (refusal.isPresent()) {
            call.close(Status.PERMISSION_DENIED.withDescription(refusal.get()), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return Contexts.interceptCall(
                Context.current().withValue(SHOWN, shown), call, headers, next);
    }

    /** Returns the names of the certificate of the current call; empty without certificates. */
    public static Optional<CertificateNames> shown() {
        return Optional.ofNullable(SHOWN.get());
    }

    /**
     * Refuses the current call if its sender may not speak for a host.
     *
     * @throws StatusRuntimeException if so
     */
    public static void requireSpeaksFor(String host) {
        shown().flatMap(names -> CallerRules.refusal(names, host))
                .ifPresent(reason -> {
                    throw Status.PERMISSION_DENIED.withDescription(reason).asRuntimeException();
                });
    }
}
