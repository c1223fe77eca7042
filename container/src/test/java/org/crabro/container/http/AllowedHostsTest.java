package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MINUTE;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

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
    void containsEveryNameOfTheMachine() throws Exception {
        InetAddress machine = InetAddress.getLocalHost();
        String canonical = machine.getCanonicalHostName();

        assertThat(hosts.contains(machine.getHostName().toUpperCase(Locale.ROOT), LOCAL)).isTrue();
        await().atMost(ONE_MINUTE)
                .untilAsserted(
                        () -> assertThat(hosts.contains(canonical, LOCAL)).as(canonical).isTrue());
    }

    private static String asHost(InetAddress address) {
        return address instanceof Inet6Address
                ? "[" + address.getHostAddress().replaceFirst("%.*", "") + "]"
                : address.getHostAddress();
    }
}
