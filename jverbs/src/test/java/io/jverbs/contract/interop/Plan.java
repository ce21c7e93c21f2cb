package io.jverbs.contract.interop;

import io.jverbs.Mtu;
import io.jverbs.contract.interop.Message.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The messages that one side sends in a round. Both sides derive both plans from the seed of the round, so each knows
 * what the other sends.
 *
 * <p>
 * The last messages of the unreliable queue pairs are sent after the network is restored. The very last one is longer
 * than all others and is not followed by another message. There are two, because rxe drops the message that follows an
 * incomplete one.
 *
 * @param timeout code of the ACK timeout
 * @param retries retry count; rxe treats 7 as infinite
 * @param reliable messages of the RC queue pair
 * @param unreliable messages of the UC queue pair: SEND and WRITE, with and without immediate data
 * @param datagrams messages of the UD queue pair: SEND, with and without immediate data
 * @param source key of the pattern from which the peer READs
 * @param windows number of the peer's memory windows that are invalidated
 */
record Plan(Mtu mtu, int timeout, int retries, List<Message> reliable, List<Message> unreliable,
        List<Message> datagrams,
        long source,
        int windows) {

    /** Length of the longest message. */
    static final int LONGEST = 20_000;
    /** Length of the memory that is shared by all WRITEs, and of the source memory of READs. */
    static final int SHARED = 1 << 16;
    /** 0.5 s, because a JVM that has just started is slow under emulation. */
    static final int LONG_TIMEOUT = 17;
    /** 0.27 s. */
    static final int SHORT_TIMEOUT = 16;
    /** Number of messages of an unreliable queue pair that are sent after the network is restored. */
    static final int TAIL = 2;
    private static final int RETRIES = 6;
    /**
     * rxe counts each NAK for a gap as a retry, even one that acknowledges more than the last. If most packets are
     * reordered, 6 retries are not enough for a long message.
     */
    private static final int ENDLESS_RETRIES = 7;
    private static final int RELIABLE = 60;
    private static final int UNRELIABLE = 40;
    private static final Mtu[] MTUS = {Mtu.MTU_512, Mtu.MTU_1024, Mtu.MTU_2048, Mtu.MTU_4096};
    private static final Kind[] KINDS = {Kind.SEND, Kind.WRITE, Kind.WRITE_WITH_IMM, Kind.READ, Kind.FETCH_AND_ADD};

    /** Returns the path MTU of a round, which is the same in both directions. */
    static Mtu mtu(long seed) {
        return MTUS[new SplittableRandom(seed).nextInt(MTUS.length)];
    }

    /** Returns a plan of many messages of random lengths. */
    static Plan random(long seed, int timeout, boolean leader) {
        SplittableRandom random = new SplittableRandom(seed + (leader ? 1 : 2));
        long source = random.nextLong();
        Builder reliable = new Builder(random);
        for (int i = 0; i < RELIABLE; i++) {
            Kind kind = KINDS[random.nextInt(KINDS.length)];
            reliable.add(kind, length(random, LONGEST));
        }
        Mtu mtu = mtu(seed);
        // rxe 6.1 receives nothing more on a UC queue pair after a packet within a WRITE was lost: its check of the
        // opcode sequence waits for the rest of that message, and a new message resets the check only after a SEND.
        int longestWrite = leader ? LONGEST / 2 : mtu.bytes();
        Builder unreliable = new Builder(random);
        Builder datagrams = new Builder(random);
        int datagram = Mtu.MTU_4096.bytes();
        for (int i = 0; i < UNRELIABLE; i++) {
            if (random.nextBoolean()) {
                unreliable.add(Kind.SEND, length(random, LONGEST / 2));
            } else {
                unreliable.add(Kind.WRITE_WITH_IMM, length(random, longestWrite));
            }
            datagrams.add(Kind.SEND, length(random, datagram - 1));
        }
        unreliable.add(Kind.SEND, 1);
        unreliable.add(Kind.SEND, LONGEST);
        datagrams.add(Kind.SEND, 1);
        datagrams.add(Kind.SEND, datagram);
        return new Plan(mtu, timeout, leader ? ENDLESS_RETRIES : RETRIES, reliable.messages, unreliable.messages,
                datagrams.messages, source, 0);
    }

    /** Half of the messages are short, because messages of one packet are a separate case. */
    private static int length(SplittableRandom random, int longest) {
        return random.nextInt((random.nextBoolean() ? longest : longest / 20) + 1);
    }

    /** Returns a plan with every opcode that RC, UC and UD have on the wire. */
    static Plan everyOpcode(long seed, boolean leader) {
        SplittableRandom random = new SplittableRandom(seed + (leader ? 1 : 2));
        long source = random.nextLong();
        Mtu mtu = Mtu.MTU_256;
        // one packet; first and last packet; packets in between; each with different padding
        int[] lengths = {0, 13, mtu.bytes(), mtu.bytes() + 6, 4 * mtu.bytes() + 7};
        Builder reliable = new Builder(random);
        Builder unreliable = new Builder(random);
        for (int length : lengths) {
            for (Kind kind : new Kind[] {Kind.SEND, Kind.SEND_WITH_IMM, Kind.WRITE, Kind.WRITE_WITH_IMM}) {
                reliable.add(kind, length);
                unreliable.add(kind, length);
            }
            reliable.add(Kind.SEND_WITH_INV, length);
            reliable.add(Kind.READ, length);
        }
        reliable.add(Kind.FETCH_AND_ADD, Long.BYTES);
        reliable.add(Kind.COMPARE_AND_SWAP, Long.BYTES);
        reliable.add(Kind.FETCH_AND_ADD, Long.BYTES);
        unreliable.add(Kind.SEND, 6 * mtu.bytes());
        Builder datagrams = new Builder(random);
        datagrams.add(Kind.SEND, 14);
        datagrams.add(Kind.SEND_WITH_IMM, 255);
        datagrams.add(Kind.SEND, mtu.bytes());
        return new Plan(mtu, LONG_TIMEOUT, RETRIES, reliable.messages, unreliable.messages, datagrams.messages, source,
                lengths.length);
    }

    /** Returns the value of the peer's counter after all atomics. */
    long counter() {
        long value = 0;
        for (Message message : reliable) {
            if (message.kind() == Kind.FETCH_AND_ADD) {
                value += message.key();
            } else if (message.kind() == Kind.COMPARE_AND_SWAP) {
                value = message.key();
            }
        }
        return value;
    }

    /** Returns the messages that consume a receive request, in order. */
    static List<Message> received(List<Message> messages) {
        return messages.stream().filter(message -> message.kind().consumesReceive()).toList();
    }

    private static final class Builder {
        private final SplittableRandom random;
        private final List<Message> messages = new ArrayList<>();
        private long counter;

        Builder(SplittableRandom random) {
            this.random = random;
        }

        void add(Kind kind, int length) {
            int bytes = kind.atomic() ? Long.BYTES : length;
            long key = random.nextLong();
            long before = counter;
            if (kind == Kind.FETCH_AND_ADD) {
                counter += key;
            } else if (kind == Kind.COMPARE_AND_SWAP) {
                counter = key;
            }
            messages.add(new Message(messages.size(), kind, bytes, random.nextInt(SHARED - bytes + 1), key, before));
        }
    }
}
