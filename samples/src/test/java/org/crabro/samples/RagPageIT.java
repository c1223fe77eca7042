package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys and feeds what the page on answers shows, and runs its commands. */
class RagPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** A command and its output. */
    private static final Pattern COMMAND =
            Pattern.compile("```sh\ncurl -s (.*?)\n```\n\n```\n(.*?)```", Pattern.DOTALL);

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/rag.md"));
        try (var service = new ChatService();
                var served = new ServedPackage(settings(data), files(page, service))) {
            served.change("schemas/mail.sd", part("sd", page));
            served.feed(part("json", page).lines().toList());

            Matcher command = COMMAND.matcher(page);
            int count = 0;
            while (command.find()) {
                count++;
                String output = command.group(2);
                assertThat(curl(command.group(1), served)).isEqualTo(output.stripTrailing());
            }
            assertThat(count).isEqualTo(2);
            assertThat(service.requests().getFirst().at("/messages/0/content").asString())
                    .isEqualTo(
                            """
                            Answer with these mails only.
                            document [1]:
                            subject: Boat
                            body: The boat is blue.


                            Question: boat\
                            """);
        }
    }

    static ServerSettings settings(Path data) {
        return ServerSettings.onAnyPorts(data)
                .withServices(ServiceRules.NONE.withHosts(ServiceHosts.of("127.0.0.1")));
    }

    private static Map<String, String> files(String page, ChatService service) {
        return Map.of(
                "services.xml",
                part("xml", page).replace("http://127.0.0.1:11434/v1/", service.endpoint()),
                "files/prompt.txt",
                part("text", page).stripTrailing());
    }

    private static String part(String language, String page) {
        Matcher part =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private static String curl(String arguments, ServedPackage served) throws Exception {
        var command = new ArrayList<>(List.of("curl", "-s"));
        Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(arguments);
        while (word.find()) {
            String text = word.group(1) == null ? word.group(2) : word.group(1);
            command.add(text.replace("http://127.0.0.1:8080/", served.container("/").toString()));
        }
        Process process = new ProcessBuilder(command).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.stripTrailing();
    }
}
