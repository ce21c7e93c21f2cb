package io.jverbs.contract.interop;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The process with the kernel's device. It runs traffic with the {@link Follower} over a network that loses,
 * duplicates, delays and reorders packets, and repeats rounds until both devices have observed these effects.
 */
final class NetemTraffic {

    /**
     * A network emulation.
     *
     * @param netem the arguments of {@code tc ... netem}; empty for a network without faults
     * @param losses whether both ends must have dropped packets
     * @param doubles whether both devices must have received duplicate requests
     * @param gaps whether both devices must have received requests out of sequence
     */
    private record Profile(String netem, boolean losses, boolean doubles, boolean gaps) {}

    private static final List<Profile> PROFILES = List.of(new Profile("", false, false, false),
            new Profile("loss 1%", true, false, true), new Profile("loss 5%", true, false, true),
            new Profile("duplicate 5%", false, true, false),
            new Profile("delay 2ms reorder 75% 50%", false, false, true),
            new Profile("delay 3ms 300us", false, false, true),
            new Profile("delay 2ms 300us loss 3% duplicate 3% reorder 60%", true, true, true));
    private static final int MOST_ROUNDS = 12;
    private static final int ENOUGH = 3;

    private final RdmaContext context;
    private final Control control;

    private NetemTraffic(RdmaContext context, Control control) {
        this.context = context;
        this.control = control;
    }

    /**
     * Runs the leader.
     *
     * @param args the selector of the device; the path of the follower's socket; the seed; words of which a profile
     *            must contain one (all profiles if there are none)
     */
    public static void main(String[] args) {
        int status = 0;
        try (RdmaContext context = Verbs.open(args[0]);
                Control control = Control.connect(Path.of(args[1]), 120)) {
            NetemTraffic traffic = new NetemTraffic(context, control);
            SplittableRandom seeds = new SplittableRandom(Long.parseLong(args[2]));
            List<String> wanted = Arrays.asList(args).subList(3, args.length);
            for (Profile profile : PROFILES) {
                long seed = seeds.nextLong();
                if (wanted.isEmpty() || wanted.stream().anyMatch(profile.netem()::contains)) {
                    traffic.runProfile(profile, new SplittableRandom(seed));
                }
            }
            control.send("end");
        } catch (IOException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            status = 1;
        }
        // a blocked queue pair must not prevent the process from ending
        Runtime.getRuntime().halt(status);
    }

    private void runProfile(Profile profile, SplittableRandom seeds) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Map<String, Long> rxeBefore = Network.rxeCounters();
        Map<String, Long> softBefore = softCounters();
        Evidence evidence;
        int[] received = new int[4];
        long[] dropped = new long[2];
        int rounds = 0;
        do {
            rounds++;
            round(profile, seeds.nextLong(), received, dropped);
            evidence = new Evidence(difference(rxeBefore, Network.rxeCounters()),
                    difference(softBefore, softCounters()), dropped);
        } while (!evidence.enough(profile) && rounds < MOST_ROUNDS);
        System.out.printf(
                "rxe-netem: \"%s\": %d rounds in %d ms; dropped %d and %d; rxe0 %s; software device %s; received"
                        + " of UC %d and %d, of UD %d and %d%n",
                profile.netem(), rounds,
                (System.nanoTime() - start) / 1_000_000, dropped[0], dropped[1], evidence.rxe(), evidence.soft(),
                received[0], received[2], received[1], received[3]);
        Faulty.check(evidence.enough(profile),
                "the devices did not observe enough effects of the network emulation: %s", profile);
        Plan plan = Plan.random(0, Plan.SHORT_TIMEOUT, true);
        for (int i = 0; i < received.length; i++) {
            int sent = rounds * (i % 2 == 0 ? plan.unreliable() : plan.datagrams()).size();
            Faulty.check(received[i] > sent / 8, "too few messages of %s were received: %s",
                    i % 2 == 0 ? "UC" : "UD", Arrays.toString(received));
        }
    }

    private void round(Profile profile, long seed, int[] received, long[] dropped)
            throws IOException, InterruptedException {
        boolean impaired = !profile.netem().isEmpty();
        if (impaired) {
            Network.impair(List.of(profile.netem().split(" ")));
        }
        int timeout = impaired ? Plan.SHORT_TIMEOUT : Plan.LONG_TIMEOUT;
        control.send("random " + seed + " " + timeout);
        Round round = new Round(context, control, Plan.random(seed, timeout, true),
                Plan.random(seed, timeout, false));
        round.run(() -> {
            if (impaired) {
                long[] now = Network.dropped();
                for (int i = 0; i < dropped.length; i++) {
                    dropped[i] += now[i];
                }
                Network.restore();
            }
        });
        round.close();
        String[] followers = control.receive().split(" ");
        received[0] += round.unreliableReceived();
        received[1] += round.datagramsReceived();
        received[2] += Integer.parseInt(followers[0]);
        received[3] += Integer.parseInt(followers[1]);
    }

    private Map<String, Long> softCounters() throws IOException {
        Map<String, Long> counters = new HashMap<>();
        for (String each : control.exchange("counters").split(" ")) {
            String[] parts = each.split("=");
            counters.put(parts[0], Long.parseLong(parts[1]));
        }
        return counters;
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> difference = new HashMap<>();
        after.forEach((name, value) -> {
            if (!value.equals(before.get(name)) && !name.equals("lifespan")) {
                difference.put(name, value - before.get(name));
            }
        });
        return difference;
    }

    /** The counters of both devices since the profile started. */
    private record Evidence(Map<String, Long> rxe, Map<String, Long> soft, long[] dropped) {

        boolean enough(Profile profile) {
            return (!profile.losses() || dropped[0] >= ENOUGH && dropped[1] >= ENOUGH)
                    && (!profile.doubles() || both("duplicate_request"))
                    && (!profile.gaps() || both("out_of_seq_request"));
        }

        private boolean both(String counter) {
            return rxe.getOrDefault(counter, 0L) >= ENOUGH && soft.getOrDefault(counter, 0L) >= ENOUGH;
        }
    }
}
