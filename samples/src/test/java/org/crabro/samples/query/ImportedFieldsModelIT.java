package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Queries over imported fields find, sort, group and show what a join of maps does, while parents
 * and children are written and removed, and some of them are in files and some in memory.
 */
class ImportedFieldsModelIT {
    private static final int ROUNDS = 4;
    private static final int WRITES = 120;
    private static final int QUERIES = 40;
    private static final List<String> TITLES = List.of("blue", "green", "red");

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** A campaign. */
    private record Campaign(Optional<String> title, Optional<Integer> budget, String advertiser) {}

    private final TreeMap<String, String> advertisers = new TreeMap<>();
    private final TreeMap<String, Campaign> campaigns = new TreeMap<>();

    /** By id, the ids of campaigns; empty for none. */
    private final TreeMap<String, String> ads = new TreeMap<>();

    @TempDir Path directory;

    @Test
    void queriesSeeTheJoinOfChildrenAndParents() throws Exception {
        System.out.println("-Dcrabro.seed=" + seed);
        try (var served =
                ServedPackage.of(directory.resolve("data"), Advertisements.files("index"))) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < WRITES; i++) {
                    write(served);
                }
                for (int i = 0; i < QUERIES; i++) {
                    compare(served);
                }
                if (round + 1 < ROUNDS) {
                    served.backUp(directory.resolve("backup" + round));
                }
            }
        }
    }

    private void write(ServedPackage served) throws Exception {
        String number = Integer.toString(random.nextInt(12));
        switch (random.nextInt(10)) {
            case 0 -> {
                String name = "name " + random.nextInt(4);
                advertisers.put(number, name);
                served.write("/document/v1/ns/advertiser/docid/" + number, text("name", name));
            }
            case 1 -> remove(served, "advertiser", advertisers.remove(number) != null, number);
            case 2, 3 -> campaign(served, number);
            case 4 -> remove(served, "campaign", campaigns.remove(number) != null, number);
            case 5 -> {
                String id = Integer.toString(random.nextInt(80));
                remove(served, "ad", ads.remove(id) != null, id);
            }
            default -> {
                String id = Integer.toString(random.nextInt(80));
                String to = random.nextInt(8) == 0 ? "" : number;
                ads.put(id, to);
                served.write(
                        "/document/v1/ns/ad/docid/" + id,
                        text("text", id)
                                + (to.isEmpty()
                                        ? ""
                                        : "," + text("campaign_ref", "id:ns:campaign::" + to)));
            }
        }
    }

    private static void remove(ServedPackage served, String type, boolean isThere, String id)
            throws Exception {
        if (isThere) {
            Answer answer = served.delete("/document/v1/ns/" + type + "/docid/" + id);
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    private void campaign(ServedPackage served, String number) throws Exception {
        Optional<String> title =
                random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(TITLES.get(random.nextInt(TITLES.size())));
        Optional<Integer> budget =
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(random.nextInt(6));
        String advertiser = Integer.toString(random.nextInt(12));
        campaigns.put(number, new Campaign(title, budget, advertiser));
        served.write(
                "/document/v1/ns/campaign/docid/" + number,
                text("advertiser_ref", "id:ns:advertiser::" + advertiser)
                        + title.map(given -> "," + text("title", given)).orElse("")
                        + budget.map(given -> ",\"budget\":" + given).orElse(""));
    }

    private static String text(String name, String value) {
        return "\"%s\":\"%s\"".formatted(name, value);
    }

    private Optional<String> title(String ad) {
        return campaign(ad).flatMap(Campaign::title);
    }

    private Optional<Integer> budget(String ad) {
        return campaign(ad).flatMap(Campaign::budget);
    }

    private Optional<String> advertiser(String ad) {
        return campaign(ad)
                .flatMap(campaign -> Optional.ofNullable(advertisers.get(campaign.advertiser())));
    }

    private Optional<Campaign> campaign(String ad) {
        return Optional.ofNullable(campaigns.get(Objects.requireNonNull(ads.get(ad))));
    }

    private void compare(ServedPackage served) throws Exception {
        String condition;
        Predicate<String> fits;
        switch (random.nextInt(4)) {
            case 0 -> {
                String title = TITLES.get(random.nextInt(TITLES.size()));
                condition = "title contains \"%s\"".formatted(title);
                fits = ad -> title(ad).equals(Optional.of(title));
            }
            case 1 -> {
                int least = random.nextInt(6);
                condition = "budget >= " + least;
                fits = ad -> budget(ad).filter(budget -> budget >= least).isPresent();
            }
            case 2 -> {
                String name = "name " + random.nextInt(4);
                condition = "advertiser contains \"%s\"".formatted(name);
                fits = ad -> advertiser(ad).equals(Optional.of(name));
            }
            default -> {
                int budget = random.nextInt(6);
                condition =
                        "!(budget = %d) and text contains ({prefix:true}\"1\")".formatted(budget);
                fits = ad -> ad.startsWith("1") && !budget(ad).equals(Optional.of(budget));
            }
        }
        List<String> ids = new ArrayList<>(ads.keySet().stream().filter(fits).toList());
        ids.sort(
                Comparator.comparing((String ad) -> budget(ad).orElse(-1))
                        .thenComparing(ad -> advertiser(ad).orElse(""))
                        .thenComparing(ad -> ad));
        JsonNode root =
                served.get(
                                "/search/?timeout=60s&presentation.summary=short&hits=100&yql="
                                        + URLEncoder.encode(
                                                "select * from ad where %s order by budget asc, advertiser asc, text asc | all(group(title) each(output(count(), sum(budget))))"
                                                        .formatted(condition),
                                                UTF_8))
                        .json()
                        .get("root");
        var hits = new ArrayList<String>();
        var expected = new ArrayList<String>();
        var sums = new TreeMap<String, String>();
        for (JsonNode hit : root.path("children")) {
            if (hit.get("id").asString().startsWith("group:")) {
                addSums(hit, sums);
            } else {
                hits.add(shown(hit.get("fields")));
            }
        }
        for (String ad : ids) {
            expected.add(
                    "%s %s %s %s"
                            .formatted(
                                    ad,
                                    title(ad).orElse("-"),
                                    budget(ad).map(Object::toString).orElse("-"),
                                    advertiser(ad).orElse("-")));
        }
        assertThat(hits).as("%s, seed %d", condition, seed).isEqualTo(expected);
        assertThat(sums).as("%s, seed %d", condition, seed).isEqualTo(sums(ids));
    }

    private static void addSums(JsonNode root, Map<String, String> sums) {
        for (JsonNode list : root.path("children")) {
            for (JsonNode group : list.get("children")) {
                JsonNode fields = group.get("fields");
                sums.put(
                        group.get("value").asString(),
                        fields.get("count()") + " " + fields.get("sum(budget)"));
            }
        }
    }

    private static String shown(JsonNode fields) {
        return "%s %s %s %s"
                .formatted(
                        fields.get("text").asString(),
                        fields.has("title") ? fields.get("title").asString() : "-",
                        fields.has("budget") ? fields.get("budget").toString() : "-",
                        fields.has("advertiser") ? fields.get("advertiser").asString() : "-");
    }

    /** In mode index, a missing budget is the smallest number. */
    private Map<String, String> sums(List<String> ids) {
        var counts = new TreeMap<String, long[]>();
        for (String ad : ids) {
            long[] sum = counts.computeIfAbsent(title(ad).orElse(""), _ -> new long[2]);
            sum[0]++;
            sum[1] += budget(ad).orElse(Integer.MIN_VALUE);
        }
        var sums = new TreeMap<String, String>();
        counts.forEach((title, sum) -> sums.put(title, sum[0] + " " + sum[1]));
        return sums;
    }
}
