package org.crabro.container.http;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests that a foreign web page sends with the browser of a user, before their body is
 * read:
 *
 * <ul>
 *   <li>{@code Host} must name this server, see {@link AllowedHosts}
 *   <li>{@code Origin} must be the origin of the request itself, or an allowed one
 *   <li>{@code Sec-Fetch-Site} must be {@code same-origin} or {@code none}, unless the origin is an
 *       allowed one
 * </ul>
 *
 * <p>Answers to pages of allowed origins carry the headers of CORS, and preflight requests of these
 * pages are answered here, before credentials are checked.
 *
 * <p>Clients that are not browsers send neither {@code Origin} nor {@code Sec-Fetch-Site}: their
 * requests pass, whatever their content type.
 */
final class BrowserGuard extends Handler.Wrapper {
    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    /** Longer values of headers are cut in messages; host names are shorter. */
    private static final int SHOWN_CHARS = 300;

    private final AllowedHosts hosts;
    private final BrowserRules ofSettings;
    private final Supplier<BrowserRules> ofPackage;

    BrowserGuard(
            Handler handler,
            AllowedHosts hosts,
            BrowserRules ofSettings,
            Supplier<BrowserRules> ofPackage) {
        super(handler);
        this.hosts = hosts;
        this.ofSettings = ofSettings;
        this.ofPackage = ofPackage;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Sender sender = Sender.of(request);
        Optional<String> problem = problem(request, sender);
        if (problem.isPresent()) {
            JsonReply.sendProblem(
                    request, response, callback, HttpStatus.FORBIDDEN_403, problem.get());
            return true;
        }
        if (hasAllowedOrigins()) {
            response.getHeaders().add(CorsReply.VARY);
        }
        if (sender.origin() == null || !isAllowed(sender)) {
            return super.handle(request, response, callback);
        }
        CorsReply.allow(request, response, sender.origin());
        if (CorsReply.isPreflight(request)) {
            CorsReply.answerPreflight(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    /**
     * The headers of a browser about the page that sends a request.
     *
     * @param origin null for pages of the same origin, and for other clients
     * @param site null for older browsers, and for other clients
     * @param origins count of headers {@code Origin}
     */
    private record Sender(@Nullable String origin, @Nullable String site, int origins) {
        static Sender of(Request request) {
            @Nullable String origin = null;
            @Nullable String site = null;
            int origins = 0;
            for (HttpField field : request.getHeaders()) {
                if (field.getHeader() == HttpHeader.ORIGIN) {
                    origins++;
                    origin = String.valueOf(field.getValue());
                } else if (field.getHeader() == null
                        && field.getName().equalsIgnoreCase(FETCH_SITE)) {
                    site = String.valueOf(field.getValue());
                }
            }
            return new Sender(origin, site, origins);
        }

        Optional<Origin> page() {
            return origin == null ? Optional.empty() : Origin.parse(origin);
        }
    }

    private Optional<String> problem(Request request, Sender sender) {
        // Only HTTP/1.0 allows a request without a host; browsers always send one.
        String host = request.getHttpURI().getHost();
        if (host != null
                && !host.isEmpty()
                && !hosts.contains(host, request.getConnectionMetaData().getLocalSocketAddress())) {
            return Optional.of(
                    "the host '%s' is not a name of this server; start it with --host-name to allow the name"
                            .formatted(shown(host)));
        }
        if (sender.origins() > 1) {
            return Optional.of("the request has more than one Origin");
        }
        if (sender.origin() != null) {
            if (isAllowed(sender)) {
                return Optional.empty();
            }
            if (sender.page().isEmpty() || !sender.page().equals(own(request))) {
                return Optional.of(
                        "a page of the origin '%s' must not use this server; start it with --cors-origin to allow the origin"
                                .formatted(shown(sender.origin())));
            }
        }
        return sender.site() == null || OWN_SITES.contains(sender.site())
                ? Optional.empty()
                : Optional.of(
                        "a page of another site must not use this server (Sec-Fetch-Site: %s)"
                                .formatted(shown(sender.site())));
    }

    private boolean hasAllowedOrigins() {
        return !ofSettings.origins().isEmpty() || !ofPackage.get().origins().isEmpty();
    }

    private boolean isAllowed(Sender sender) {
        return sender.page().map(this::isAllowed).orElse(false);
    }

    private boolean isAllowed(Origin page) {
        return ofSettings.origins().contains(page) || ofPackage.get().origins().contains(page);
    }

    /** Returns the origin of pages of this server, with the host of the request. */
    private static Optional<Origin> own(Request request) {
        HttpURI uri = request.getHttpURI();
        return uri.getScheme() == null || uri.getHost() == null
                ? Optional.empty()
                : Optional.of(new Origin(uri.getScheme(), uri.getHost(), uri.getPort()));
    }

    private static String shown(String value) {
        return value.length() <= SHOWN_CHARS ? value : value.substring(0, SHOWN_CHARS) + "...";
    }
}
