package org.crabro.protocol.transport;

import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** The names of the certificate of a connection. They are read once for each connection. */
public final class SessionNames {
    private static final String KEY = "crabro.certificate.names";

    private SessionNames() {}

    /** Returns the names of the certificate that the other side shows. */
    public static CertificateNames of(SSLSession session) {
        if (session.getValue(KEY) instanceof CertificateNames certificateNames) {
            return certificateNames;
        }
        CertificateNames names = CertificateNames.NONE;
        try {
            if (session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                names = CertificateNames.of(certificate);
            }
        } catch (SSLPeerUnverifiedException _) {
            // It shows none.
        }
        session.putValue(KEY, names);
        return names;
    }
}
