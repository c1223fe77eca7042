package org.crabro.server;

import picocli.CommandLine.IVersionProvider;

/** Which version this is. */
final class Version implements IVersionProvider {
    Version() {}

    /** Returns the version, such as {@code 0.1.0}. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "unversioned" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"crabro " + text()};
    }
}
