package org.crabro.container.http;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which hosts a request may name in {@code Host}. A page of a foreign site can let a name of its
 * own point to this machine (DNS rebinding); such a name is in none of these sets:
 *
 * <ul>
 *   <li>loopback addresses, the address that the connection came in at, addresses of the machine
 *   <li>{@code localhost} and names of the machine
 *   <li>names in settings, in the active package, and in the certificate of the server
 * </ul>
 *
 * <p>A check makes no DNS look-up. Addresses of the machine are read again at most once in {@link
 * #REREAD_NANOS}, when a request names an unknown address.
 */
final class AllowedHosts {
    private static final long REREAD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Text that looks like an address but is not one; looking it up in a certificate could cause a
     * DNS query.
     */
    private static final Pattern NO_NAME = Pattern.compile("[0-9.]*|.*[:\\[\\]].*");

    private final BrowserRules ofSettings;
    private final Supplier<BrowserRules> ofPackage;
    private final Predicate<String> ofCertificate;
    private final AtomicLong addressesReadAt = new AtomicLong();
    private volatile Set<String> machineNames;
    private volatile Set<InetAddress> addresses;

    private AllowedHosts(
            BrowserRules ofSettings,
            Supplier<BrowserRules> ofPackage,
            Predicate<String> ofCertificate) {
        this.ofSettings = ofSettings;
        this.ofPackage = ofPackage;
        this.ofCertificate = ofCertificate;
        this.machineNames = Set.of(MachineName.ofThis().toLowerCase(Locale.ROOT));
        this.addresses = machineAddresses();
        this.addressesReadAt.set(System.nanoTime());
    }

    /**
     * Returns the hosts of a listener. The canonical name of the machine may need a DNS look-up: a
     * virtual thread makes it, and the name is allowed after that.
     *
     * @param ofPackage called for each request whose host is not one of the usual names
     * @param ofCertificate returns whether the server certificate is issued to a host
     */
    static AllowedHosts of(
            BrowserRules ofSettings,
            Supplier<BrowserRules> ofPackage,
            Predicate<String> ofCertificate) {
        var hosts = new AllowedHosts(ofSettings, ofPackage, ofCertificate);
        Thread.ofVirtual()
                .name("machine-names")
                .start(() -> hosts.machineNames = MachineName.allOfThis());
        return hosts;
    }

    /**
     * Returns whether a request may name {@code host}.
     *
     * @param host without port; IPv6 addresses in brackets
     * @param local the address that the connection came in at
     */
    boolean contains(String host, SocketAddress local) {
        if (host.equals("localhost") || host.equals("127.0.0.1") || ofSettings.allowsAnyHost()) {
            return true;
        }
        String name = withoutDot(host.toLowerCase(Locale.ROOT));
        Optional<InetAddress> literal = literal(name);
        if (literal.isPresent() && isOfMachine(literal.get(), local)) {
            return true;
        }
        return name.equals("localhost")
                || machineNames.contains(name)
                || ofSettings.hosts().contains(name)
                || ofPackage.get().hosts().contains(name)
                || literal.map(InetAddress::getHostAddress)
                        .or(() ->
                                Optional.of(name).filter(text -> !NO_NAME.matcher(text).matches()))
                        .filter(ofCertificate)
                        .isPresent();
    }

    private static String withoutDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Returns the address that {@code host} is, unless it is a name. */
    private static Optional<InetAddress> literal(String host) {
        if (host.isEmpty()
                || (host.charAt(0) != '[' && !Character.isDigit(host.charAt(host.length() - 1)))) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean isOfMachine(InetAddress address, SocketAddress local) {
        if (address.isLoopbackAddress()
                || (local instanceof InetSocketAddress internet
                        && address.equals(internet.getAddress()))
                || addresses.contains(address)) {
            return true;
        }
        long readAt = addressesReadAt.get();
        long now = System.nanoTime();
        if (now - readAt < REREAD_NANOS || !addressesReadAt.compareAndSet(readAt, now)) {
            return false;
        }
        addresses = machineAddresses();
        return addresses.contains(address);
    }

    private static Set<InetAddress> machineAddresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SocketException e) {
            throw new UncheckedIOException("the addresses of this machine cannot be read", e);
        }
    }
}
