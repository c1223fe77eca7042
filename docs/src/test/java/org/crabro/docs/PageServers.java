package org.crabro.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether each page that deploys a package starts a server with a data directory of its own before.
 * On a server with the documents of another page, the deployment is rejected: a package without
 * their type would put them out of reach.
 */
final class PageServers {
    private static final Pattern PAGE = Pattern.compile("docs/[a-z-]+\\.md");

    private static final Pattern DEPLOYING =
            Pattern.compile(
                    "```sh\n(?:(?!```).)*?(?:prepareandactivate|bin/crabro deploy )",
                    Pattern.DOTALL);

    private static final Pattern SERVING =
            Pattern.compile("(?m)^(?:\\w+=\\S+ )*bin/crabro serve --data (\\S+)");

    /** Has its data in a directory of its own. */
    private static final String CLUSTER = "bin/crabro cluster up";

    private PageServers() {}

    static List<String> findings(SourceTree tree) {
        List<String> findings = new ArrayList<>();
        var directories = new TreeMap<String, String>();
        for (Map.Entry<String, String> page : tree.texts().entrySet()) {
            Matcher deploying = DEPLOYING.matcher(page.getValue());
            if (!PAGE.matcher(page.getKey()).matches() || !deploying.find()) {
                continue;
            }
            String before = page.getValue().substring(0, deploying.start());
            List<String> own =
                    SERVING.matcher(before).results().map(line -> line.group(1)).toList();
            if (own.isEmpty() && !before.contains(CLUSTER)) {
                findings.add(page.getKey() + ": starts no server with --data before it deploys");
            }
            for (String directory : own) {
                String other = directories.putIfAbsent(directory, page.getKey());
                if (other != null && !other.equals(page.getKey())) {
                    findings.add(
                            "%s: uses the directory '%s' of %s"
                                    .formatted(page.getKey(), directory, other));
                }
            }
        }
        return findings;
    }
}
