package org.crabro.perf.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.compare.MailsBenchmark.Mail;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.ConstantServer;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.data.SettledServer;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;

/** Feeding mails in one request, and queries of a word and a date in the mails of one user. */
public final class MailsWorkload implements Workload {
    private static final Pattern TOTAL = Pattern.compile("\"totalCount\":(\\d+)");
    private static final int ANSWER_BYTES = 1_730;
    private static final String UNIT = "queries/s";

    @Override
    public String name() {
        return "mails";
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        List<Mail> mails = MailsBenchmark.mails(size.of(4_000, 20_000));
        List<String> words = MailsBenchmark.words(mails);
        String task =
                "word and date in %,d mails"
                        .formatted(
                                mails.stream()
                                        .filter(mail -> mail.user().equals(MailsBenchmark.USER))
                                        .count());
        Path data = Files.createDirectory(folder.resolve("data"));
        Path shared = Files.createDirectory(folder.resolve("shared"));
        try (ServerProcess server = MailsBenchmark.start(data)) {
            feed(server, data, mails, results);
            var expected = new ArrayList<String>();
            for (String word : words) {
                Matcher total =
                        TOTAL.matcher(
                                MailsBenchmark.ask(
                                        MailsBenchmark.address(server.container(), word)));
                expected.add(
                        String.join(
                                "\t",
                                task,
                                MailsBenchmark.USER,
                                word,
                                Long.toString(MailsBenchmark.FROM),
                                total.find() ? total.group(1) : "0"));
            }
            Files.write(shared.resolve("queries.tsv"), expected);
            query(task, words, server, size, results);
        }
        lucene(task, folder.resolve("lucene"), mails, shared, size, results);
        try (BufferedWriter out = Files.newBufferedWriter(shared.resolve("mails.tsv"))) {
            for (Mail mail : mails) {
                String body = new String(mail.body(), UTF_8).replace('\n', ' ');
                out.write(
                        String.join(
                                "\t", mail.user(), mail.id(), Long.toString(mail.date()), body));
                out.newLine();
            }
        }
        results.measurePeers("mails", shared, size);
    }

    private static void feed(ServerProcess server, Path data, List<Mail> mails, ScoreSheet results)
            throws Exception {
        byte[] lines = MailsBenchmark.lines(mails);
        try (var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            DeployedPackage.deploy(MailsBenchmark.PACKAGE, http, server);
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            long begin = System.nanoTime();
            BulkBody.feed(http, server.container(), lines);
            double seconds = (System.nanoTime() - begin) / 1e9;
            SettledServer.settle(server.config());
            results.add(
                    new Measured(
                            "feeding mails, one request",
                            Measured.CRABRO,
                            new Measured.Rate(mails.size() / seconds, "documents/s"),
                            Optional.empty(),
                            use.cost(mails.size(), List.of(data), mails.size()),
                            Optional.empty()));
        }
    }

    private static void query(
            String task, List<String> words, ServerProcess server, RunSize size, ScoreSheet results)
            throws Exception {
        List<URI> addresses =
                words.stream()
                        .map(word -> MailsBenchmark.address(server.container(), word))
                        .toList();
        ClosedLoop.Operation ask =
                (client, number) ->
                        MailsBenchmark.ask(addresses.get((client + number) % addresses.size()));
        ClosedLoop.run(RunSize.CLIENTS, 2 * size.warmUpSeconds(), ask);
        ProcessUse use = ProcessUse.of(List.of(server.pid()));
        ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), ask);
        Measured.Cost cost = use.cost(result.count(), List.of(), 0);
        results.add(result.measured(task, result.rate(UNIT), cost, Optional.of(http(size))));
    }

    /** Returns the rate of answers of the same size without a search. */
    private static Measured.Limit http(RunSize size) throws Exception {
        try (ConstantServer constant = ConstantServer.start(ANSWER_BYTES)) {
            URI address = constant.address().resolve("/search/");
            ClosedLoop.Operation ask =
                    (_, _) -> {
                        String _ = PlainHttp.get(address);
                    };
            ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), ask);
            return new Measured.Limit(
                    "HTTP alone",
                    ClosedLoop.run(RunSize.CLIENTS, size.seconds(), ask).rate(UNIT).perSecond());
        }
    }

    private static void lucene(
            String task,
            Path folder,
            List<Mail> mails,
            Path shared,
            RunSize size,
            ScoreSheet results)
            throws Exception {
        try (var lucene = new LuceneMails(folder, mails)) {
            var words = new ArrayList<String>();
            for (String line : Files.readAllLines(shared.resolve("queries.tsv"))) {
                String[] parts = line.split("\t", -1);
                int count = lucene.count(parts[1], parts[2], MailsBenchmark.FROM);
                if (count != Integer.parseInt(parts[4])) {
                    results.miss(
                            "Lucene",
                            task,
                            "finds %d mails instead of %s".formatted(count, parts[4]));
                    return;
                }
                words.add(parts[2]);
            }
            ClosedLoop.Operation ask =
                    (client, number) -> {
                        int _ =
                                lucene.best(
                                        MailsBenchmark.USER,
                                        words.get((client + number) % words.size()),
                                        MailsBenchmark.FROM);
                    };
            ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), ask);
            ProcessUse use = ProcessUse.of(List.of(ProcessHandle.current().pid()));
            ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), ask);
            results.add(
                    new Measured(
                            task,
                            "Lucene",
                            result.rate(UNIT),
                            Optional.of(result.latency()),
                            use.cost(result.count(), List.of(folder), mails.size()),
                            Optional.empty()));
        }
    }
}
