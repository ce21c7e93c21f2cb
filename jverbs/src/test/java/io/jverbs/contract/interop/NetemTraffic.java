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
 * The process with the kernel's device: traffic with the {@link Follower} over a network that loses, doubles, delays and
 * reorders packets, as often as it takes until both devices have seen that.
 */
final class NetemTraffic {

    /**
     * What the network does.
     *
     * @param netem   the words of {@code tc ... netem}, none for a network without faults
     * @param losses  whether packets must have been dropped at both ends
     * @param doubles whether both devices must have got requests twice
     * @param gaps    whether both devices must have missed packets in a sequence of requests
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
     * Leads.
     *
     * @param args the device's selector; the path of the follower's socket; the seed; words of which a profile must
     *             have one, all profiles without
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
                    traffic.play(profile, new SplittableRandom(seed));
                }
            }
            control.send("end");
        } catch (IOException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            status = 1;
        }
        // a queue pair that waits must not keep the process from ending
        Runtime.getRuntime().halt(status);
    }

    private void play(Profile profile, SplittableRandom seeds) throws IOException, InterruptedException {
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
        Faulty.check(evidence.enough(profile), "the network did not do what it should: %s", profile);
        Plan plan = Plan.random(0, Plan.SHORT_TIMEOUT, true);
        for (int i = 0; i < received.length; i++) {
            int sent = rounds * (i % 2 == 0 ? plan.unreliable() : plan.datagrams()).size();
            Faulty.check(received[i] > sent / 8, "hardly anything of %s came: %s",
                    i % 2 == 0 ? "UC" : "UD", Arrays.toString(received));
        }
    }

    private void round(Profile profile, long seed, int[] received, long[] dropped)
            throws IOException, InterruptedException {
        boolean harmed = !profile.netem().isEmpty();
        if (harmed) {
            Network.harm(List.of(profile.netem().split(" ")));
        }
        int timeout = harmed ? Plan.SHORT_TIMEOUT : Plan.LONG_TIMEOUT;
        control.send("random " + seed + " " + timeout);
        Round round = new Round(context, control, Plan.random(seed, timeout, true),
                Plan.random(seed, timeout, false));
        round.run(() -> {
            if (harmed) {
                long[] now = Network.dropped();
                for (int i = 0; i < dropped.length; i++) {
                    dropped[i] += now[i];
                }
                Network.heal();
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

    /** What both devices have counted since the profile began. */
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
