package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.container.admin.ConfigServer;

/** A config server in the same process. */
record LocalConfig(ClusterController controller, ConfigServer server) implements ConfigAccess {
    @Override
    public ConfigReply report(HostReport report) throws IOException {
        return controller.report(report);
    }

    @Override
    public void copyPackage(OutputStream to) throws IOException {
        var zip = new ZipOutputStream(to);
        server.copyActive((path, content) -> {
            zip.putNextEntry(new ZipEntry(path));
            content.transferTo(zip);
            zip.closeEntry();
        });
        zip.finish();
    }
}
