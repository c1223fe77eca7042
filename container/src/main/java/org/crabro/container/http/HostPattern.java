package org.crabro.container.http;

import java.util.Locale;
import org.eclipse.jetty.server.Request;

/** What requests call the server, whatever the case of its letters. */
public final class HostPattern {
    private final Glob name;

    private HostPattern(Glob name) {
        this.name = name;
    }

    /** Returns the pattern that {@code text} is, in which {@code *} is any text. */
    public static HostPattern of(String text) {
        return new HostPattern(Glob.of(text.toLowerCase(Locale.ROOT)));
    }

    /** Returns whether {@code request} calls the server so. */
    public boolean matches(Request request) {
        return name.matches(Request.getServerName(request).toLowerCase(Locale.ROOT));
    }
}
