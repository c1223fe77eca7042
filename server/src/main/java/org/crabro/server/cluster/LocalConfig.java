package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.container.admin.ConfigServer;
import org.crabro.container.admin.DataBackup;

/** A config server in the same process. */
record LocalConfig(String name, ClusterController controller, ConfigServer server)
        implements ConfigAccess {
    @Override
    public boolean confirms(String leader) {
        return leader.equals(name);
    }

    @Override
    public ConfigReply report(HostReport report) throws IOException {
        return controller.report(report);
    }

    @Override
    public void copyPackage(OutputStream to) throws IOException {
        copy(server::copyActive, to);
    }

    /** Writes a directory of packages as a zip file. */
    static void copy(DataBackup.PackageFiles packages, OutputStream to) throws IOException {
        var zip = new ZipOutputStream(to);
        packages.copyTo((path, content) -> {
            zip.putNextEntry(new ZipEntry(path));
            content.transferTo(zip);
            zip.closeEntry();
        });
        zip.finish();
    }
}
