package org.crabro.samples.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Updates and conditions against a real server, also one that is killed. */
class UpdatesIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final String SCHEMA =
            """
            schema note {
              document note {
                struct person { field name type string {} field born type int {} }
                field text type string { indexing: summary | index }
                field count type int { indexing: summary | attribute }
                field total type long { indexing: summary | attribute }
                field ratio type double { indexing: summary | attribute }
                field done type bool { indexing: summary | attribute }
                field tags type array<string> { indexing: summary }
                field colors type weightedset<string> { indexing: summary }
                field votes type weightedset<string> {
                  indexing: summary
                  weightedset { create-if-nonexistent remove-if-zero }
                }
                field labels type tag { indexing: summary }
                field prices type map<string, int> { indexing: summary }
                field author type person { indexing: summary }
                field words type tensor<float>(word{}) { indexing: summary }
                field place type tensor<float>(x[2]) { indexing: summary }
              }
              field line type string {
                indexing: (input text || "") . (input count | to_string || "") | index | summary
              }
            }
            """;

    /** What is there, the update, and what is there afterwards; - where there is no document. */
    private static final List<List<String>> UPDATES =
            List.of(
                    List.of("{'text':'a'}", "{'text':{'assign':'b'}}", "{'text':'b'}"),
                    List.of("{'text':'a'}", "{'text':{'assign':null}}", "{}"),
                    List.of("{}", "{'count':{'increment':3}}", "{'count':3}"),
                    List.of(
                            "{'count':2147483647}",
                            "{'count':{'increment':1}}",
                            "{'count':-2147483648}"),
                    List.of("{'count':7}", "{'count':{'divide':0}}", "{'count':7}"),
                    List.of("{'count':7}", "{'count':{'divide':2}}", "{'count':3}"),
                    List.of("{'ratio':0.5}", "{'ratio':{'multiply':3}}", "{'ratio':1.5}"),
                    List.of(
                            "{'total':1,'done':true}",
                            "{'total':{'decrement':2}}",
                            "{'total':-1,'done':true}"),
                    List.of("{'tags':['a']}", "{'tags':{'add':['b']}}", "{'tags':['a','b']}"),
                    List.of(
                            "{'tags':['a','b','a']}",
                            "{'tags':{'remove':['a']}}",
                            "{'tags':['b']}"),
                    List.of(
                            "{'tags':['a','b']}",
                            "{'tags':{'match':{'element':1,'assign':'c'}}}",
                            "{'tags':['a','c']}"),
                    List.of(
                            "{'tags':['a']}",
                            "{'tags':{'match':{'element':1,'assign':'c'}}}",
                            "{'tags':['a']}"),
                    List.of("{'tags':['a','b']}", "{'tags[0]':{'remove':0}}", "{'tags':['b']}"),
                    List.of(
                            "{'colors':{'red':1}}",
                            "{'colors':{'add':{'blue':2}}}",
                            "{'colors':{'red':1,'blue':2}}"),
                    List.of(
                            "{'colors':{'red':1}}",
                            "{'colors':{'match':{'element':'red','increment':4}}}",
                            "{'colors':{'red':5}}"),
                    List.of(
                            "{'colors':{'red':1}}",
                            "{'colors':{'match':{'element':'blue','increment':4}}}",
                            "{'colors':{'red':1}}"),
                    List.of(
                            "{'votes':{'red':1}}",
                            "{'votes':{'match':{'element':'blue','increment':4}}}",
                            "{'votes':{'red':1,'blue':4}}"),
                    List.of(
                            "{'votes':{'red':1,'blue':2}}",
                            "{'votes':{'match':{'element':'red','decrement':1}}}",
                            "{'votes':{'blue':2}}"),
                    List.of(
                            "{}",
                            "{'labels':{'match':{'element':'red','increment':1}}}",
                            "{'labels':{'red':1}}"),
                    List.of(
                            "{'prices':{'milk':1}}",
                            "{'prices{milk}':{'increment':1},'prices{bread}':{'assign':3}}",
                            "{'prices':{'milk':2,'bread':3}}"),
                    List.of(
                            "{'author':{'born':1950}}",
                            "{'author.name':{'assign':'Ann'}}",
                            "{'author':{'name':'Ann','born':1950}}"),
                    List.of(
                            "{'words':{'a':1,'b':2}}",
                            "{'words':{'modify':{'operation':'add','cells':{'b':1,'c':9}}}}",
                            "{'words':{'a':1.0,'b':3.0}}"),
                    List.of(
                            "{'words':{'a':1}}",
                            "{'words':{'add':{'cells':{'b':2}}}}",
                            "{'words':{'a':1.0,'b':2.0}}"),
                    List.of(
                            "{'words':{'a':1,'b':2}}",
                            "{'words':{'remove':{'addresses':[{'word':'a'}]}}}",
                            "{'words':{'b':2.0}}"),
                    List.of(
                            "{'place':[1,2]}",
                            "{'place':{'modify':{'operation':'multiply',"
                                    + "'cells':[{'address':{'x':1},'value':4}]}}}",
                            "{'place':[1.0,8.0]}"),
                    List.of("-", "{'count':{'increment':3}}", "-"));

    @TempDir Path data;

    private final Http http = new Http();

    @Test
    void updatesEveryTypeOfField() throws Exception {
        try (ServedPackage server = ServedPackage.ofNotes(data, SCHEMA)) {
            int number = 0;
            for (List<String> update : UPDATES) {
                URI address = server.container("/document/v1/ns/note/docid/" + number++);
                if (!update.get(0).equals("-")) {
                    assertThat(http.post(address, fields(update.get(0))).status()).isEqualTo(200);
                }

                Http.Answer answer = http.put(address, fields(update.get(1)));

                assertThat(answer.status()).as("%s: %s", update, answer).isEqualTo(200);
                JsonNode read =
                        http.get(address.resolve(address.getPath() + "?format.tensors=short-value"))
                                .body();
                assertThat(read.has("fields") ? read.get("fields").toString() : "-")
                        .as("%s", update)
                        .isEqualTo(update.get(2).replace('\'', '"'));
            }
        }
    }

    @Test
    void keepsWhatScriptsMakeOfFieldsInStep() throws Exception {
        try (ServedPackage server = ServedPackage.ofNotes(data, SCHEMA)) {
            URI address = server.container("/document/v1/ns/note/docid/1");
            http.post(address, fields("{'text':'a','count':1}"));

            assertThat(http.put(address, fields("{'count':{'increment':4}}")).status())
                    .isEqualTo(200);
            assertThat(line(address)).isEqualTo("a5");
            http.put(address, fields("{'text':{'assign':'b'},'count':{'assign':0}}"));
            assertThat(line(address)).isEqualTo("b0");
        }
    }

    private String line(URI address) throws IOException, InterruptedException {
        return http.get(address.resolve(address.getPath() + "?fieldSet=%5Ball%5D"))
                .body()
                .at("/fields/line")
                .stringValue();
    }

    /** Each row of the table that says what a condition and create do. */
    @Test
    void looksAtConditions() throws Exception {
        try (ServedPackage server = ServedPackage.ofNotes(data, SCHEMA)) {
            int number = 0;
            for (String row :
                    List.of(
                            "there  |                             | 200 200 200",
                            "there  | condition=note.count==1      | 200 200 200",
                            "there  | condition=note.count==2      | 412 412 412",
                            "there  | condition=note.text%3C3      | 412 412 412",
                            "there  | condition=note.count==2&create=true | 412 412 412",
                            "there  | condition=note.no==1         | 400 400 400",
                            "there  | condition=note.              | 400 400 400",
                            "absent |                              | 200 200 200",
                            "absent | create=true                  | 200 200 200",
                            "absent | condition=note.count==1      | 412 412 412",
                            "absent | condition=note.count==1&create=true | 200 200 412")) {
                String[] parts = row.split("\\|", -1);
                List<String> statuses = new ArrayList<>();
                for (String method : List.of("POST", "PUT", "DELETE")) {
                    String path = "/document/v1/ns/note/docid/c" + number++;
                    if (parts[0].startsWith("there")) {
                        http.post(server.container(path), fields("{'count':1}"));
                    }
                    URI address = server.container(path + "?" + parts[1].strip());
                    Http.Answer answer =
                            switch (method) {
                                case "POST" -> http.post(address, fields("{}"));
                                case "PUT" -> http.put(address, fields("{'done':{'assign':true}}"));
                                default -> http.delete(address);
                            };
                    statuses.add(String.valueOf(answer.status()));
                    if (answer.status() == 412) {
                        assertThat(answer.body().get("message").stringValue())
                                .contains("TEST_AND_SET_CONDITION_FAILED");
                    }
                }
                assertThat(String.join(" ", statuses)).as(row).isEqualTo(parts[2].strip());
            }
        }
    }

    @Test
    void countsExactlyHoweverManyCountAtOnceAndAfterBeingKilled() throws Exception {
        int clients = 8;
        int rounds = 40;
        ServerProcess server = start();
        deploy(server.config());
        URI address = server.container().resolve("/document/v1/ns/note/group/ann/1?create=true");
        var work = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < clients; i++) {
            work.add(() -> {
                boolean isStored = true;
                for (int round = 0; round < rounds; round++) {
                    isStored &=
                            http.put(address, fields("{'total':{'increment':1}}")).status() == 200;
                }
                return isStored;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> each : threads.invokeAll(work)) {
                assertThat(each.get()).isTrue();
            }
        }
        server.kill();

        try (ServerProcess again = start()) {
            URI after = again.container().resolve("/document/v1/ns/note/group/ann/1");
            assertThat(http.get(after).body().at("/fields/total").longValue())
                    .isEqualTo((long) clients * rounds);
        }
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(data, List.of());
    }

    private void deploy(URI config) throws IOException, InterruptedException {
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                SCHEMA));
        Http.Answer answer = http.post(config.resolve(DEPLOY), "application/zip", zip);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static JsonNode fields(String fields) {
        return Http.JSON.readTree("{\"fields\":" + fields.replace('\'', '"') + "}");
    }
}
