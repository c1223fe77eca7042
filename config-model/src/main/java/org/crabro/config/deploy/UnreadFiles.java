package org.crabro.config.deploy;

import java.util.HashSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlText;

/** Reports files that have a meaning in the reference at their path, but none here, or none yet. */
final class UnreadFiles {
    private UnreadFiles() {}

    static void tell(ApplicationFiles files, Findings findings) {
        var told = new HashSet<String>();
        for (String path : files.paths()) {
            String directory = path.substring(0, Math.max(0, path.lastIndexOf('/')));
            boolean isFirst = told.add(directory);
            if (path.endsWith(".gitignore")) {
                continue;
            }
            if (directory.equals("processor/chains")) {
                findings.problem(path + ": chains of own processors are not built; remove it");
            } else if (path.equals("deployment.xml")) {
                // A file for cloud deployments; there it would be rejected if it were broken.
                new XmlText(path, files.text(path).orElseThrow(), findings).root();
                findings.inform(path + ": has no effect");
            } else if (path.equals("hosts.xml")) {
                findings.inform(path + ": one process does all of it for now");
            } else if (isFirst && changesNothing(directory)) {
                findings.inform(directory + "/: has no effect");
            }
        }
    }

    private static boolean changesNothing(String directory) {
        return directory.equals("routing")
                || directory.startsWith("routing/")
                || directory.equals("page-templates")
                || directory.equals("security");
    }
}
