package org.crabro.client.http;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** No server answers at an address, or the name of its host has no address. */
public final class UnreachableServerException extends IOException {
    private static final long serialVersionUID = 1;

    /** Causes are followed no further. */
    private static final int DEPTH_MAX = 20;

    private final boolean isUnknownHost;

    UnreachableServerException(URI address, IOException cause) {
        this(address, cause, isUnknownHost(cause));
    }

    private UnreachableServerException(URI address, IOException cause, boolean isUnknownHost) {
        super(
                isUnknownHost
                        ? "name not found: there is no host '%s'".formatted(address.getHost())
                        : "no server answers at %s://%s"
                                .formatted(address.getScheme(), address.getAuthority()),
                cause);
        this.isUnknownHost = isUnknownHost;
    }

    private static boolean isUnknownHost(IOException failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof UnresolvedAddressException
                    || cause instanceof UnknownHostException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Returns whether the name of the host has no address. */
    public boolean isUnknownHost() {
        return isUnknownHost;
    }
}
