package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.partition.RunName;
import org.crabro.content.storage.run.RunFile;
import org.crabro.content.storage.run.StoredTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks runs in the background, including runs that are never read, so that damage on a device is
 * found while another copy still exists. It reads all bytes from the device in small steps. It
 * pauses between them to keep the configured rate, and does not change the page cache.
 *
 * <p>A pass begins at a random run, so that a node that restarts often does not always check the
 * same runs.
 */
public final class Scrubber implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);

    /** The delay after a start, which has more urgent work. */
    private static final Duration FIRST_AFTER = Duration.ofMinutes(2);

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final StoredRuns runs;
    private final ScrubSettings settings;
    private final ScrubTime time;
    private final Random random;
    private final DamageRegister register;
    private final Thread thread;

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong passes = new AtomicLong();
    private volatile Optional<Instant> lastPass = Optional.empty();

    // Only for the thread.
    private long nextRead;

    /**
     * The runs that are checked.
     *
     * @param types of their documents
     * @param names returns the current runs; called at the start and at the end of a pass
     */
    public record StoredRuns(LogFiles files, StoredTypes types, Supplier<List<RunName>> names) {}

    /**
     * @param register receives the damage
     */
    public Scrubber(StoredRuns runs, ScrubSettings settings, DamageRegister register) {
        this(runs, settings, register, new ScrubTime.OfSystem(), new Random());
    }

    Scrubber(
            StoredRuns runs,
            ScrubSettings settings,
            DamageRegister register,
            ScrubTime time,
            Random random) {
        this.runs = runs;
        this.settings = settings;
        this.time = time;
        this.random = random;
        this.register = register;
        this.thread = Thread.ofPlatform().name("scrub").daemon().unstarted(this::run);
    }

    /** Starts the background checks, unless the settings disable them. */
    public void start() {
        if (settings.bytesPerSecond() > 0) {
            thread.start();
        }
    }

    private void run() {
        try {
            boolean goesOn = time.pause(FIRST_AFTER.toNanos());
            while (goesOn) {
                long begun = time.nanoTime();
                try {
                    pass();
                } catch (RuntimeException e) {
                    LOG.error("Stored bytes could not be checked", e);
                }
                goesOn = time.pause(settings.interval().toNanos() - (time.nanoTime() - begun));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Checks every run once; returns whether the pass was completed. */
    boolean pass() throws InterruptedException {
        List<RunName> names = new ArrayList<>(runs.names.get());
        if (!names.isEmpty()) {
            Collections.rotate(names, random.nextInt(names.size()));
        }
        for (RunName name : names) {
            if (!check(name)) {
                return false;
            }
        }
        register.retain(runs.names.get().stream().map(RunName::file).collect(Collectors.toSet()));
        passes.incrementAndGet();
        lastPass = Optional.of(time.now());
        return true;
    }

    private boolean check(RunName name) throws InterruptedException {
        List<Damage> damages = new ArrayList<>();
        boolean isWhole = true;
        try (RunFile run = RunFile.open(runs.files, name.file(), name.number(), runs.types)) {
            isWhole = new RunCheck(run, true, damages::add, this::pace, (_, _, _) -> {}).run();
        } catch (NoSuchFileException _) {
            // The run was merged meanwhile; a missing run would have failed the start of the node.
            return time.pause(0);
        } catch (CorruptRunException e) {
            damages.add(e.damage());
        } catch (IOException e) {
            damages.add(
                    new Damage(
                            name.file(),
                            0,
                            "a file that can be read",
                            String.valueOf(e.getMessage())));
        }
        if (isWhole && runs.names.get().contains(name)) {
            tell(register.put(name.file(), damages));
        }
        return isWhole && time.pause(0);
    }

    private static void tell(List<Damage> damages) {
        for (Damage damage : damages) {
            LOG.error("Stored bytes are damaged: {}", damage);
        }
    }

    /** Waits long enough to keep the rate. */
    private boolean pace(long read) {
        bytes.addAndGet(read);
        long now = time.nanoTime();
        long rate = Math.max(1, settings.bytesPerSecond());
        nextRead = Math.max(nextRead, now) + (long) ((double) read * NANOS_PER_SECOND / rate);
        try {
            return time.pause(Math.max(0, nextRead - now));
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Returns the known damage. */
    public DamageRegister register() {
        return register;
    }

    /** Returns the statistics of the checks. */
    public ScrubStatistics statistics() {
        return new ScrubStatistics(bytes.get(), passes.get(), lastPass, register.fileCount());
    }

    /** Stops the checks, and returns when no read is in progress. */
    @Override
    public void close() {
        time.end();
        boolean wasInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
