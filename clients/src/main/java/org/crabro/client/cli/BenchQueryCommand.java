package org.crabro.client.cli;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.bench.AnswerFiles;
import org.crabro.client.bench.LoadSettings;
import org.crabro.client.bench.QueryLines;
import org.crabro.client.bench.QueryLoad;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends queries of files, and prints latencies and rates. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = {
            "Sends queries of a file: on each line a path with a query string, a JSON object, or YQL.",
            "An answer is successful if its status is 200 and it has a number of matching documents."
                    + " The exit status is 1 if a request failed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro bench query -q queries.txt -n 8 -s 30",
            "  crabro bench query -q queries.txt -g anna --rate 200",
            "  crabro bench query -q queries.txt -n 1 -r 1 --fixed-hits --json",
            "  crabro bench query -q 'query%%03d.txt' -n 4 --svg latencies.svg",
            "  crabro bench query -q queries.txt -n 4 -r 1 -o 'answers%%03d.txt' -xy"
        })
public final class BenchQueryCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-q", "--queries"},
            paramLabel = "FILE",
            required = true,
            description =
                    "The queries. A format such as %%03d in the name stands for the number of the"
                            + " client.")
    private String queries = "";

    @Option(
            names = {"-z", "--divide"},
            description = "Divide the queries of the file among the clients.")
    private boolean isShared;

    @Option(
            names = {"-P", "--post"},
            description = "Send POST requests: lines after a line that begins with / are its body.")
    private boolean isPosted;

    @Option(
            names = {"-d", "--decode"},
            description = "With -P: the bodies are in Base64.")
    private boolean isBase64;

    @Option(
            names = {"-m", "--line"},
            paramLabel = "CHARACTERS",
            defaultValue = "131072",
            description = "The longest line of the queries (${DEFAULT-VALUE}).")
    private int lineMax = QueryLines.LINE_MAX;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Write all answers to a file; with several clients, a format such as %%03d in the"
                            + " name stands for the number of the client.")
    private @Nullable String output;

    @Option(
            names = {"-x", "--counts"},
            description = "With -o: write the headers with counts, too. -y adds those on coverage.")
    private boolean hasCounts;

    @Option(
            names = {"-a", "--append"},
            paramLabel = "NAME=VALUE",
            description = "Parameters to add to each query string.")
    private List<String> parameters = List.of();

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            description = "Search the documents of this group.")
    private @Nullable String group;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "A header of each request.")
    private List<String> headers = List.of();

    @Option(
            names = {"-k", "--no-keep-alive"},
            description = "Open a connection for each request.")
    private boolean isClosing;

    @Option(
            names = {"-l", "--least"},
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "The least size of a successful answer.")
    private long leastBytes;

    @Option(
            names = {"-y", "--coverage"},
            description = "An answer fails if not all documents were searched.")
    private boolean checksCoverage;

    @Option(
            names = "--fixed-hits",
            description =
                    "An answer fails if the number of matching documents differs from that of the"
                            + " first answer to the same query. Without it, such answers are counted.")
    private boolean hasFixedHits;

    @Mixin private LoadOptions load = new LoadOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadSettings settings = load.settings();
        QueryLoad.Files files = files();
        var sent =
                new QueryLoad.Settings(
                        String.join("&", checked(appended())),
                        headers(),
                        !isClosing,
                        load.rounds(),
                        leastBytes,
                        new QueryLoad.Check(checksCoverage, hasFixedHits));
        Optional<AnswerFiles> answers = answers();
        try (var source = new QueryLoad(target.server(), files, load.clients(), sent, answers)) {
            return load.run(settings, source);
        } finally {
            answers.ifPresent(AnswerFiles::close);
        }
    }

    private QueryLoad.Files files() {
        if (isBase64 && !isPosted) {
            throw new ParameterException(spec.commandLine(), "-d needs -P: queries have no body");
        }
        QueryLines.Bodies bodies = QueryLines.Bodies.NONE;
        if (isPosted) {
            bodies = isBase64 ? QueryLines.Bodies.BASE64 : QueryLines.Bodies.TEXT;
        }
        try {
            return new QueryLoad.Files(queries, isShared, bodies, lineMax);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<AnswerFiles> answers() throws IOException {
        if (output == null) {
            if (hasCounts) {
                throw new ParameterException(
                        spec.commandLine(), "-x needs -o: the headers are written to its file");
            }
            return Optional.empty();
        }
        return Optional.of(AnswerFiles.create(output, load.clients(), hasCounts));
    }

    private List<String> appended() {
        if (group == null) {
            return parameters;
        }
        var all = new ArrayList<>(parameters);
        all.add("streaming.groupname=" + URLEncoder.encode(group, StandardCharsets.UTF_8));
        return all;
    }

    private List<String> checked(List<String> all) {
        var encoded = new ArrayList<String>();
        for (String each : all) {
            // Several parameters may be one text, as with vespa-fbench.
            for (String one : each.split("&", -1)) {
                int equal = one.indexOf('=');
                if (equal > 0) {
                    encoded.add(one.replace(" ", "+"));
                } else if (!one.isEmpty()) {
                    throw new ParameterException(
                            spec.commandLine(), "expected NAME=VALUE, found '" + one + "'");
                }
            }
        }
        return encoded;
    }

    private Map<String, String> headers() {
        var byName = new LinkedHashMap<String, String>();
        for (String each : headers) {
            int colon = each.indexOf(':');
            if (colon < 1) {
                throw new ParameterException(
                        spec.commandLine(), "expected NAME:VALUE, found '" + each + "'");
            }
            byName.put(each.substring(0, colon).strip(), each.substring(colon + 1).strip());
        }
        return byName;
    }
}
