package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AllowedHostsTest {
    private static final InetSocketAddress LOCAL =
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 8080);

    private final AllowedHosts hosts =
            AllowedHosts.of(BrowserRules.NONE, () -> BrowserRules.NONE, _ -> false);

    @Test
    void containsTheAddressThatAConnectionCameInAt() {
        assertThat(hosts.contains("192.0.2.7", LOCAL)).isTrue();
        assertThat(hosts.contains("192.0.2.8", LOCAL)).isFalse();
    }

    @Test
    void containsEveryAddressOfTheMachine() throws Exception {
        List<InetAddress> all =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .toList();

        assertThat(all).isNotEmpty().allMatch(address -> hosts.contains(asHost(address), LOCAL));
    }

    @Test
    @Timeout(60)
    void containsEveryNameOfTheMachine() throws Exception {
        InetAddress machine = InetAddress.getLocalHost();
        String canonical = machine.getCanonicalHostName();

        assertThat(hosts.contains(machine.getHostName().toUpperCase(Locale.ROOT), LOCAL)).isTrue();
        while (!hosts.contains(canonical, LOCAL)) {
            Thread.onSpinWait();
        }
    }

    private static String asHost(InetAddress address) {
        return address instanceof Inet6Address
                ? "[" + address.getHostAddress().replaceFirst("%.*", "") + "]"
                : address.getHostAddress();
    }
}
