package org.crabro.container.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;
import org.crabro.perf.fuzz.GoldenFiles;

/** Access files, token files, and patterns of certificates. */
public final class AccessTargets {
    private static final String RULES =
            "[feeder]\npermissions = read, write\ntoken-file = tokens\n";

    private AccessTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        X509Certificate certificate = certificate();
        return List.of(
                FuzzTarget.ofBytes(
                                "access-files",
                                AccessTargets::rules,
                                InvalidAccessFileException.class)
                        .slow(),
                FuzzTarget.ofBytes(
                                "token-files",
                                tokens -> read(RULES.getBytes(UTF_8), tokens),
                                InvalidAccessFileException.class)
                        .slow(),
                FuzzTarget.ofText(
                        "certificate-patterns",
                        text -> CertificatePattern.parse(text).matches(certificate),
                        IllegalArgumentException.class));
    }

    private static X509Certificate certificate() {
        byte[] pem =
                GoldenFiles.read(
                                "container/src/test/resources/org/crabro/container/access",
                                "anna.pem")
                        .getFirst();
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem));
        } catch (CertificateException e) {
            throw new IllegalStateException("the certificate is one", e);
        }
    }

    /** A path in the file would lead to other files of this machine: there is no slash in one. */
    private static void rules(byte[] file) throws IOException {
        byte[] rules = file.clone();
        for (int i = 0; i < rules.length; i++) {
            if (rules[i] == '/') {
                rules[i] = '_';
            }
        }
        read(rules, TokenHash.of("a").toString().getBytes(UTF_8));
    }

    private static void read(byte[] rules, byte[] tokens) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file = directory.write("inner/access", rules);
            directory.write("inner/tokens", tokens);
            AccessRules read = new AccessFile(file, Map.of()).read();
            read.ofToken("a");
        }
    }
}
