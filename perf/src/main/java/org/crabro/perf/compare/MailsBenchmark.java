package org.crabro.perf.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.check.StalledCommand;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.ConstantServer;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Clients;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Scale;
import org.crabro.perf.harness.WarmUp;
import org.crabro.text.Tokenizer;

/**
 * Queries a word and a date in the mails of one of several users, the ten best by BM25. A server in
 * a process of its own is queried over HTTP; a Lucene index that is sorted by user and a full-text
 * table of SQLite are queried in this process. All have the same mails. Processor time is compared:
 * that of the whole server, and that of the querying thread for the others. Also measures the cost
 * of HTTP alone, with a server that answers the same requests with the same number of bytes without
 * a search. Last, it measures what typos cost.
 */
public final class MailsBenchmark implements Benchmark {
    private static final int USERS = 5;
    private static final int MAILS = Scale.of(10_000);
    private static final long START = 1_700_000_000L;
    private static final int SECONDS = 365 * 86_400;

    /** Half of the mails are younger. */
    static final long FROM = START + SECONDS / 2;

    static final String USER = "user2";

    /** The number of mails in 1,000 that contain the searched words: some words for each number. */
    private static final int[] PER_MILLE = {100, 20, 5};

    private static final int WORDS_EACH = 8;
    private static final int LUCENE_WARM_UP_QUERIES = Scale.of(40_000);
    private static final int QUERIES = Scale.of(9_600);

    /**
     * The number of queries of each system before the next one is measured, so that other load on
     * the machine affects all of them.
     */
    private static final int QUERIES_AT_A_TIME = Scale.of(480);

    private static final int SQLITE_QUERIES = 48;
    private static final int CLIENTS = 2;

    /** As long as most answers are. */
    private static final int ANSWER_BYTES = 1_730;

    private static final Pattern TOTAL = Pattern.compile("\"totalCount\":(\\d+)");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("mails", "mail"),
                    "schemas/mail.sd",
                    """
                    schema mail {
                      document mail {
                        field body type string { indexing: index | summary }
                        field date type long { indexing: attribute | summary }
                      }
                      document-summary ids { summary documentid {} }
                      rank-profile words { first-phase { expression: bm25(body) } }
                    }
                    """);

    /** A mail. */
    static final class Mail {
        private final String user;
        private final String id;
        private final long date;
        private final byte[] body;

        Mail(String user, String id, long date, byte[] body) {
            this.user = user;
            this.id = id;
            this.date = date;
            this.body = body;
        }

        String user() {
            return user;
        }

        String id() {
            return id;
        }

        /** Returns when it came, in seconds. */
        long date() {
            return date;
        }

        /** Returns its text in UTF-8. */
        byte[] body() {
            return body;
        }
    }

    @Override
    public String name() {
        return "mails";
    }

    @Override
    public String summary() {
        return "a word and a date in the mails of a user, against Lucene and SQLite in process";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        List<Mail> mails = mails(MAILS);
        Path data = Files.createDirectory(folder.resolve("data"));
        ServerProcess server = start(data);
        try (var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            DeployedPackage.deploy(PACKAGE, http, server);
            BulkBody.feed(http, server.container(), lines(mails));
            // So that queries read runs and no recent documents.
            StalledCommand.flush(http, server, folder.resolve("backup"));
        }
        var measured =
                new Measured(
                        server,
                        ConstantServer.start(ANSWER_BYTES),
                        new LuceneMails(folder.resolve("lucene"), mails),
                        new SqliteMails(folder.resolve("sqlite"), mails),
                        words(mails));
        measured.check();
        measured.warmUp();
        return measured;
    }

    static ServerProcess start(Path data) throws IOException {
        return ServerProcess.start(
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0"));
    }

    /** Returns mails of some users. */
    static List<Mail> mails(int each) {
        var random = new Random(5);
        List<Mail> mails = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            var texts = new MailTexts(2026);
            for (int mail = 0; mail < each; mail++) {
                mails.add(
                        new Mail(
                                "user" + user,
                                "m" + mail,
                                START + random.nextInt(SECONDS),
                                texts.body(user * each + mail)));
            }
        }
        return mails;
    }

    /** Returns mails as lines that can be fed. */
    static byte[] lines(List<Mail> mails) {
        var lines = new ByteArrayOutputStream();
        for (Mail mail : mails) {
            String body = new String(mail.body(), UTF_8).replace("\n", "\\n");
            lines.writeBytes(
                    "{\"put\":\"id:perf:mail:g=%s:%s\",\"fields\":{\"body\":\"%s\",\"date\":%d}}\n"
                            .formatted(mail.user(), mail.id(), body, mail.date())
                            .getBytes(UTF_8));
        }
        return lines.toByteArray();
    }

    /** Returns words of a user whose frequencies are near {@link #PER_MILLE}. */
    static List<String> words(List<Mail> mails) {
        Map<String, Integer> counts = new HashMap<>();
        for (Mail mail : mails) {
            if (mail.user().equals(USER)) {
                new HashSet<>(Tokenizer.tokens(new String(mail.body(), UTF_8)))
                        .forEach(word -> counts.merge(word, 1, Integer::sum));
            }
        }
        List<String> words = new ArrayList<>();
        for (int perMille : PER_MILLE) {
            int wanted = mails.size() / USERS * perMille / 1_000;
            counts.entrySet().stream()
                    .sorted((left, right) -> {
                        int nearer =
                                Integer.compare(
                                        Math.abs(left.getValue() - wanted),
                                        Math.abs(right.getValue() - wanted));
                        return nearer != 0 ? nearer : left.getKey().compareTo(right.getKey());
                    })
                    .limit(WORDS_EACH)
                    .forEach(word -> words.add(word.getKey()));
        }
        return words;
    }

    /** Returns the address of a query for a word and a date. */
    static URI address(URI base, String word) {
        String yql =
                "select * from mail where body contains \"%s\" and date >= %d"
                        .formatted(word, FROM);
        return query(base, yql);
    }

    static URI query(URI base, String yql) {
        return base.resolve(
                "/search/?timeout=20s&streaming.groupname=%s&ranking=words&hits=10&presentation.summary=ids&yql=%s"
                        .formatted(USER, URLEncoder.encode(yql, UTF_8)));
    }

    /**
     * Returns an answer.
     *
     * @throws IOException if it has errors
     */
    static String ask(URI address) throws IOException {
        String answer = PlainHttp.get(address);
        if (answer.contains("\"errors\"")) {
            throw new IOException(answer);
        }
        return answer;
    }

    private record Measured(
            ServerProcess server,
            ConstantServer constant,
            LuceneMails lucene,
            SqliteMails sqlite,
            List<String> words)
            implements Prepared {
        /** Checks that all systems find the same number of mails. */
        void check() throws Exception {
            for (String word : words) {
                Matcher total = TOTAL.matcher(ask(address(server.container(), word)));
                int served = total.find() ? Integer.parseInt(total.group(1)) : -1;
                int byLucene = lucene.count(USER, word, FROM);
                int bySqlite = sqlite.count(USER, word, FROM);
                if (served != byLucene || served != bySqlite) {
                    throw new IllegalStateException(
                            "'%s' is in %d mails, by Lucene in %d, by SQLite in %d"
                                    .formatted(word, served, byLucene, bySqlite));
                }
            }
        }

        void warmUp() throws Exception {
            List<URI> served = addresses(server.container());
            List<URI> constants = addresses(constant.address());
            WarmUp.of(server.pid(), () -> askAll(served, QUERIES));
            WarmUp.of(constant.pid(), () -> askAll(constants, QUERIES));
            byLucene(LUCENE_WARM_UP_QUERIES);
            bySqlite(SQLITE_QUERIES);
        }

        @Override
        public void measure(Figures figures) throws Exception {
            List<URI> ofServer = addresses(server.container());
            List<URI> ofConstant = addresses(constant.address());
            // Only one system works at a time, so that all of its processor time belongs to its own
            // turns.
            long serverCpu = ProcessorTime.nanos(server.pid());
            long constantCpu = ProcessorTime.nanos(constant.pid());
            double seconds = 0;
            double luceneSeconds = 0;
            int queries = 0;
            for (; queries < QUERIES; queries += QUERIES_AT_A_TIME) {
                long begin = System.nanoTime();
                askAll(ofServer, QUERIES_AT_A_TIME);
                seconds += (System.nanoTime() - begin) / 1e9;
                askAll(ofConstant, QUERIES_AT_A_TIME);
                luceneSeconds += byLucene(QUERIES_AT_A_TIME);
            }
            double served = queries / secondsSince(serverCpu, server.pid());
            double constants = queries / secondsSince(constantCpu, constant.pid());
            double byLucene = queries / luceneSeconds;
            double bySqlite = SQLITE_QUERIES / bySqlite(SQLITE_QUERIES);
            figures.add("over HTTP, queries", "per second", queries / seconds);
            figures.add("over HTTP", "queries per processor second", served);
            figures.add("HTTP alone", "answers per processor second", constants);
            figures.add("Lucene in process", "queries per processor second", byLucene);
            figures.add("SQLite in process", "queries per processor second", bySqlite);
            figures.add("over HTTP over Lucene", "", served / byLucene);
            figures.add("over HTTP over SQLite", "", served / bySqlite);
            figures.add("HTTP alone over Lucene", "", constants / byLucene);
            measureTypos(figures);
        }

        /**
         * Measures words that may have typos: as they are, and with two letters exchanged, each
         * against the same query for the right word without typos.
         */
        private void measureTypos(Figures figures) throws Exception {
            URI base = server.container();
            List<URI> exact = words.stream().map(word -> typed(base, word, false)).toList();
            List<URI> right = words.stream().map(word -> typed(base, word, true)).toList();
            List<URI> wrong =
                    words.stream().map(word -> typed(base, exchanged(word), true)).toList();
            double exactSeconds = 0;
            double rightSeconds = 0;
            double wrongSeconds = 0;
            for (int queries = 0; queries < QUERIES; queries += QUERIES_AT_A_TIME) {
                exactSeconds += seconds(exact);
                rightSeconds += seconds(right);
                wrongSeconds += seconds(wrong);
            }
            figures.add(
                    "typos permitted over exact", "processor time", rightSeconds / exactSeconds);
            figures.add("typos made over exact", "processor time", wrongSeconds / exactSeconds);
        }

        /** Returns the processor seconds of the server for some queries. */
        private double seconds(List<URI> addresses) throws Exception {
            long begin = ProcessorTime.nanos(server.pid());
            askAll(addresses, QUERIES_AT_A_TIME);
            return secondsSince(begin, server.pid());
        }

        private static String exchanged(String word) {
            return word.length() < 3
                    ? word
                    : "%c%c%c%s"
                            .formatted(
                                    word.charAt(0),
                                    word.charAt(2),
                                    word.charAt(1),
                                    word.substring(3));
        }

        private static URI typed(URI base, String word, boolean typos) {
            String yql =
                    "select * from mail where {typos: %s, defaultIndex: \"body\"}userInput(\"%s\") and date >= %d"
                            .formatted(typos, word, FROM);
            return query(base, yql);
        }

        /** Returns the processor seconds that a process has taken since it had taken so much. */
        private static double secondsSince(long cpu, long pid) {
            return (ProcessorTime.nanos(pid) - cpu) / 1e9;
        }

        private static void askAll(List<URI> addresses, int count) throws Exception {
            Clients.run(CLIENTS, count, number -> ask(addresses.get(number % addresses.size())));
        }

        /** Returns the query address for each of the words. */
        private List<URI> addresses(URI base) {
            return words.stream().map(word -> address(base, word)).toList();
        }

        /** Returns the processor seconds of this thread. */
        private double byLucene(int count) throws IOException {
            long begin = THREADS.getCurrentThreadCpuTime();
            int hits = 0;
            for (int i = 0; i < count; i++) {
                hits += lucene.best(USER, words.get(i % words.size()), FROM);
            }
            checkHits(hits);
            return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        }

        /** Returns the processor seconds of this thread. */
        private double bySqlite(int count) throws SQLException {
            long begin = THREADS.getCurrentThreadCpuTime();
            int hits = 0;
            for (int i = 0; i < count; i++) {
                hits += sqlite.best(USER, words.get(i % words.size()), FROM);
            }
            checkHits(hits);
            return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        }

        private static void checkHits(int hits) {
            if (hits == 0) {
                throw new IllegalStateException("nothing was found");
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            constant.close();
            lucene.close();
            try {
                sqlite.close();
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }
}
