package org.crabro.container.http;

import java.util.Set;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.Request;

/** Names clients, to divide the resources of the server among them. */
public final class ClientName {
    private static final Set<String> WITHOUT_CREDENTIALS =
            Set.of(Principal.EVERYONE.name(), "anonymous");

    private ClientName() {}

    /** Returns the name of a principal with credentials, else the address of the client. */
    public static String of(Principal principal, Request request) {
        return WITHOUT_CREDENTIALS.contains(principal.name())
                ? String.valueOf(Request.getRemoteAddr(request))
                : principal.name();
    }
}
