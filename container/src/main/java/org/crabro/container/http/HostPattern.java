package org.crabro.container.http;

import java.util.Locale;
import org.crabro.text.Glob;
import org.eclipse.jetty.server.Request;

/** A pattern of host names, in any case. */
public final class HostPattern {
    private final Glob name;

    private HostPattern(Glob name) {
        this.name = name;
    }

    /** Parses a pattern, in which {@code *} matches any text. */
    public static HostPattern of(String text) {
        return new HostPattern(Glob.ofStars(text.toLowerCase(Locale.ROOT)));
    }

    /** Returns whether the host of {@code request} matches. */
    public boolean matches(Request request) {
        return name.matches(Request.getServerName(request).toLowerCase(Locale.ROOT));
    }
}
