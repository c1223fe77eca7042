package org.crabro.container.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.gzip.GzipEncoderConfig;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.compression.CompressionPool;
import org.eclipse.jetty.util.compression.DeflaterPool;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that speaks HTTP/1.1 and HTTP/2: by prior knowledge in cleartext, by ALPN over TLS.
 *
 * <p>Handlers run on virtual threads and may block; handlers that scan run on platform threads.
 * Closing waits for requests in progress, at most {@link #DRAIN}, and answers those that arrive on
 * open connections meanwhile.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    /** The longest wait for requests in progress when a listener closes. */
    public static final Duration DRAIN = Duration.ofSeconds(10);

    /**
     * Received bytes of a connection that no request has read. Requests read at once, so this
     * matters only if many requests of one connection wait.
     */
    static final int SESSION_WINDOW = 16 * 1024 * 1024;

    /** Threads for short tasks, acceptors and selectors, in addition to those that scan. */
    private static final int POOL_THREADS = 32;

    /**
     * Threads that scan concurrently. More would wait for a processor; half of them may be cleaning
     * up after an answer.
     */
    private static final int SCANNING = 2 * Runtime.getRuntime().availableProcessors();

    /**
     * Selectors, which connections share. One for each processor, because a selector thread also
     * answers.
     */
    private static final int SELECTORS =
            Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 16);

    private static final Duration POOL_IDLE = Duration.ofMinutes(1);

    private static final int STREAM_WINDOW = 1024 * 1024;

    /** Longer than the default timeout of operations, which are answered before. */
    private static final Duration STREAM_IDLE = Duration.ofMinutes(10);

    private static final RateControl.Factory FRAME_RATES =
            new RateControl.Factory() {
                @Override
                public RateControl newRateControl(EndPoint connection) {
                    return new FrameRate(System::nanoTime);
                }
            };

    /** Buffer for bodies over HTTP/1.1; in use only during a read. */
    private static final int INPUT_BUFFER = 64 * 1024;

    /** Shorter answers are not compressed. */
    private static final int COMPRESSED_MIN = 256;

    /** Buffer of the compression; each answer has two. */
    private static final int COMPRESSED_AT_ONCE = 64 * 1024;

    /** Methods whose answers are compressed. */
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private final Server server;
    private final ReplacementSelectors replacements;
    private final ServerConnector connector;
    private final LastRequests requests;
    private final Optional<SslContextFactory.Server> context;

    private HttpListener(
            Server server,
            ReplacementSelectors replacements,
            ServerConnector connector,
            LastRequests requests,
            Optional<SslContextFactory.Server> context) {
        this.server = server;
        this.replacements = replacements;
        this.connector = connector;
        this.requests = requests;
        this.context = context;
    }

    /**
     * Starts to listen, answers all requests on virtual threads, and measures nothing.
     *
     * @throws IOException if the port cannot be opened; the message names it
     * @throws IllegalArgumentException if a TLS file is not valid
     */
    public static HttpListener start(HttpSettings settings, Handler handler, RequestLog log)
            throws IOException {
        return start(settings, handler, _ -> false, () -> BrowserRules.NONE, log);
    }

    /**
     * Starts to listen, and measures nothing.
     *
     * @throws IOException if the port cannot be opened; the message names it
     */
    public static HttpListener start(
            HttpSettings settings,
            Handler handler,
            Predicate<Request> scans,
            Supplier<BrowserRules> ofPackage,
            RequestLog log)
            throws IOException {
        return start(settings, handler, scans, ofPackage, log, new CompositeMeterRegistry());
    }

    /**
     * Starts to listen; see {@link #open}.
     *
     * @throws IOException if the port cannot be opened; the message names it
     * @throws IllegalArgumentException if a TLS file or an origin is not valid
     */
    public static HttpListener start(
            HttpSettings settings,
            Handler handler,
            Predicate<Request> scans,
            Supplier<BrowserRules> ofPackage,
            RequestLog log,
            MeterRegistry registry)
            throws IOException {
        HttpListener listener = open(settings, handler, scans, ofPackage, log, registry);
        listener.accept();
        return listener;
    }

    /**
     * Opens the port. The system keeps connections of clients, some dozens, until {@link #accept}.
     *
     * @param scans selects the requests that platform threads answer, at most twice as many at a
     *     time as there are processors. Over HTTP/1.1 the thread that has read the request and its
     *     body answers it. All others, and those with long bodies, are answered on virtual threads
     * @param ofPackage returns the rules of the active package for browsers; called per request
     * @param registry gets the meters of {@link Metrics} and {@link BodyPace}
     * @throws IOException if the port cannot be opened; the message names it
     * @throws IllegalArgumentException if a TLS file or an origin is not valid
     */
    public static HttpListener open(
            HttpSettings settings,
            Handler handler,
            Predicate<Request> scans,
            Supplier<BrowserRules> ofPackage,
            RequestLog log,
            MeterRegistry registry)
            throws IOException {
        BrowserRules browsers = BrowserRules.of(settings.browsers());
        // Selectors, short tasks and scans run on the pool; all other tasks run on virtual threads.
        // The pool has a queue of the JDK, because Jetty's own starts the platform's JMX server,
        // which takes a sixth of a second.
        var threads =
                new QueuedThreadPool(
                        POOL_THREADS + SCANNING,
                        2,
                        (int) POOL_IDLE.toMillis(),
                        new LinkedBlockingQueue<>());
        threads.setName("http-" + settings.port());
        Executor virtual =
                VirtualThreads.getNamedVirtualThreadsExecutor("http-" + settings.port() + "-v");
        var server = new SharingServer(threads);
        Optional<SslContextFactory.Server> context = settings.tls().map(TlsContext::of);
        var replacements =
                new ReplacementSelectors(
                        threads,
                        SELECTORS,
                        "http-" + settings.port() + "-watch",
                        ReplacementSelectors.LONE_TICK);
        var connections = new OpenConnections(settings.connections());
        var connector = connector(server, replacements, connections, settings, context);
        connector.setAccepting(false);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(settings.connections().max(), server));
        server.setRequestLog(log);
        server.setErrorHandler(new JsonErrorHandler());
        server.setStopTimeout(DRAIN.toMillis());
        var pace =
                new BodyPace(
                        new UnpackedBodies(
                                new RequestThreads(handler, virtual, threads, scans, SCANNING)),
                        settings.bodies(),
                        virtual,
                        System::nanoTime,
                        OpenConnections::bodyBytes,
                        registry);
        var requests = new LastRequests(compressed(pace));
        var guard =
                new BrowserGuard(
                        requests,
                        AllowedHosts.of(
                                browsers,
                                ofPackage,
                                host ->
                                        context.map(tls -> TlsContext.names(tls, host))
                                                .orElse(false)),
                        browsers,
                        ofPackage);
        server.setHandler(
                connections.counting(
                        UnreadBody.keepingAnswers(
                                new Metrics(new CanonicalPaths(guard), registry))));
        try {
            server.start();
        } catch (Exception e) {
            stop(server, replacements);
            throw new IOException(
                    "cannot listen on %s:%d: %s"
                            .formatted(settings.address(), settings.port(), reason(e)),
                    e);
        }
        connections.watch(connector.getScheduler());
        pace.watch(connector.getScheduler());
        return new HttpListener(server, replacements, connector, requests, context);
    }

    /** Lets handlers decide whether they block; by default, a server assumes that none does. */
    private static final class SharingServer extends Server {
        SharingServer(ThreadPool threads) {
            super(threads);
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.EITHER;
        }
    }

    /**
     * Rejects settings with which no listener could start: files that are missing or not valid, and
     * unknown cipher suites.
     *
     * @throws IllegalArgumentException if so; the message contains the setting
     */
    public static void check(TlsSettings tls) {
        TlsContext.check(tls);
    }

    /** Accepts connections from now on, those that wait first. */
    public void accept() {
        connector.setAccepting(true);
    }

    /** Returns whether this speaks TLS. */
    public boolean isSecure() {
        return context.isPresent();
    }

    /**
     * Applies other TLS settings, or the current content of the same files, to new connections.
     *
     * @throws IllegalArgumentException if the settings are not valid; nothing has changed then
     * @throws IllegalStateException if this listener has no TLS
     */
    public void renew(TlsSettings tls) {
        TlsContext.renew(
                context.orElseThrow(() -> new IllegalStateException("no TLS at " + url())), tls);
    }

    /** Returns the number of requests in progress. */
    public long requestsInProgress() {
        return requests.getCurrentRequestCount();
    }

    /** Returns the port, also where the settings left it open. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Returns the address as clients write it, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return "%s://%s:%d".formatted(isSecure() ? "https" : "http", connector.getHost(), port());
    }

    @Override
    public void close() {
        stop(server, replacements);
    }

    /**
     * Compresses answers for clients that accept it. Written bytes are flushed at each write, so a
     * stream of parts stays one. Bodies of requests are not decompressed here, but by {@link
     * UnpackedBodies}: Jetty's decoder accepts a body that ends early.
     */
    private static Handler compressed(Handler handler) {
        var encoder = new GzipEncoderConfig();
        encoder.setCompressionLevel(Deflater.BEST_SPEED);
        encoder.setSyncFlush(true);
        encoder.setBufferSize(COMPRESSED_AT_ONCE);
        var gzip = new GzipCompression();
        // A deflater whose level is changed later does not flush its first input.
        gzip.setDeflaterPool(
                new DeflaterPool(CompressionPool.DEFAULT_CAPACITY, Deflater.BEST_SPEED, true));
        gzip.setMinCompressSize(COMPRESSED_MIN);
        gzip.setDefaultEncoderConfig(encoder);
        var compression = new CompressionHandler(handler);
        compression.putCompression(gzip);
        CompressionConfig.Builder config = CompressionConfig.builder();
        METHODS.forEach(config::compressIncludeMethod);
        compression.putConfiguration("/*", config.decompressExcludePath("/*").build());
        return compression;
    }

    private static ServerConnector connector(
            Server server,
            ReplacementSelectors replacements,
            OpenConnections connections,
            HttpSettings settings,
            Optional<SslContextFactory.Server> context) {
        var http = new HttpConfiguration();
        http.setRequestHeaderSize(settings.requests().maxHeaderBytes());
        http.setSendServerVersion(false);
        // Paths contain encoded document ids, with slashes, dots and percent signs. CanonicalPaths
        // rejects all that are not canonical; no path is mapped to a file.
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setSendDateHeader(true);
        var connector =
                new SharingConnector(
                        server,
                        replacements,
                        connections,
                        SELECTORS,
                        context.map(tls -> secured(http, tls, settings, connections))
                                .orElseGet(() -> clear(http, settings, connections)));
        connector.setHost(settings.address());
        connector.setPort(settings.port());
        connector.setIdleTimeout(settings.connections().idleTimeout().toMillis());
        connector.setAcceptedTcpNoDelay(true);
        connector.setReuseAddress(true);
        return connector;
    }

    private static ConnectionFactory[] clear(
            HttpConfiguration http, HttpSettings settings, OpenConnections connections) {
        return new ConnectionFactory[] {
            http1(http), bounded(new HTTP2CServerConnectionFactory(http), settings, connections)
        };
    }

    private static ConnectionFactory[] secured(
            HttpConfiguration http,
            SslContextFactory.Server context,
            HttpSettings settings,
            OpenConnections connections) {
        // BrowserGuard checks host names; clients may connect to any address.
        http.addCustomizer(new SecureRequestCustomizer(false));
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        return new ConnectionFactory[] {
            new SslConnectionFactory(context, alpn.getProtocol()),
            alpn,
            bounded(new HTTP2ServerConnectionFactory(http), settings, connections),
            http1(http)
        };
    }

    private static ConnectionFactory http1(HttpConfiguration http) {
        var factory = new HttpConnectionFactory(http);
        factory.setInputBufferSize(INPUT_BUFFER);
        return factory;
    }

    private static ConnectionFactory bounded(
            AbstractHTTP2ServerConnectionFactory http2,
            HttpSettings settings,
            OpenConnections connections) {
        http2.addBean(connections);
        http2.setMaxConcurrentStreams(settings.requests().maxStreams());
        http2.setInitialSessionRecvWindow(SESSION_WINDOW);
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setStreamIdleTimeout(STREAM_IDLE.toMillis());
        http2.setRateControlFactory(FRAME_RATES);
        return http2;
    }

    private static void stop(Server server, ReplacementSelectors replacements) {
        // Selectors are needed until everything has stopped.
        try (replacements) {
            server.stop();
        } catch (TimeoutException e) {
            // Everything has stopped nevertheless; remaining connections were closed.
            LOG.warn("Connections were cut that did not end in time", e);
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop: " + e, e);
        }
    }

    private static String reason(Throwable e) {
        Throwable root = e;
        for (Throwable next = e.getCause(); next != null; next = next.getCause()) {
            root = next;
        }
        String message = root.getMessage();
        return message == null ? root.toString() : message;
    }
}
