package org.crabro.client.http;

import java.io.IOException;
import java.net.URI;

/** No server answers at an address. */
public final class UnreachableServerException extends IOException {
    private static final long serialVersionUID = 1;

    UnreachableServerException(URI address, IOException cause) {
        super(
                "no server answers at %s://%s"
                        .formatted(address.getScheme(), address.getAuthority()),
                cause);
    }
}
