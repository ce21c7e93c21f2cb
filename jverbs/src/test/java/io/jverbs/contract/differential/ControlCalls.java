package io.jverbs.contract.differential;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.differential.sequence.Command;
import io.jverbs.contract.differential.sequence.Key;
import io.jverbs.contract.differential.sequence.Layout;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.VerbsFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes control path calls, and describes their results in words. */
final class ControlCalls {

    private static final List<QpAttribute> QUERIED = List.of(QpAttribute.STATE, QpAttribute.PATH_MTU,
            QpAttribute.ACCESS_FLAGS, QpAttribute.PKEY_INDEX, QpAttribute.PORT, QpAttribute.TIMEOUT,
            QpAttribute.RETRY_CNT, QpAttribute.RNR_RETRY, QpAttribute.MIN_RNR_TIMER, QpAttribute.QKEY);

    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(2);

    private final World world;

    ControlCalls(World world) {
        this.world = world;
    }

    /** Returns {@code 0}, the queried values, or the error. */
    String call(Peer peer, Command command) {
        try {
            return make(peer, command);
        } catch (VerbsFailure e) {
            return "errno " + e.errno();
        } catch (EndFailure e) {
            return e.exceptionClass();
        }
    }

    void modify(Peer peer, QpState state) {
        modify(peer, QpAttr.to(state));
    }

    private String modify(Peer peer, QpAttr attr) {
        end(peer).modifyQp(world.qps.get(peer).id(), attr);
        return "0";
    }

    /**
     * Waits as a program does that does not request the event: a device may refuse to leave SQD before the queue is
     * drained.
     */
    private void awaitDrained(Peer peer) {
        long deadline = System.nanoTime() + DRAINED_WITHIN.toNanos();
        while (end(peer).queryQp(world.qps.get(peer).id()).draining() && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
    }

    private End end(Peer peer) {
        return world.place(peer).end;
    }

    private String make(Peer peer, Command command) {
        Place place = world.place(peer);
        End end = place.end;
        // the place whose queue pair always uses the shared receive queue if there is one
        Place sharing = world.place(Peer.B);
        boolean datagram = world.setup.type() == QpType.UD;
        return switch (command) {
            case TO_ERR -> modify(peer, QpAttr.to(QpState.ERR));
            case TO_RESET -> modify(peer, QpAttr.to(QpState.RESET));
            case TO_SQD -> modify(peer, QpAttr.to(QpState.SQD));
            case SQD_TO_RTS -> {
                awaitDrained(peer);
                yield modify(peer, QpAttr.to(QpState.RTS));
            }
            case NO_REMOTE_RIGHTS -> modify(peer, QpAttr.to(QpState.RTS).access(0));
            case QUERY -> query(peer);
            case RTS_TO_INIT -> {
                QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(0).port(World.PORT);
                yield modify(peer, datagram ? init.qkey(World.QKEY) : init.access(World.REMOTE_ALL));
            }
            case RTS_TO_RTR -> modify(peer, QpAttr.to(QpState.RTR));
            case RTS_WITH_PORT -> modify(peer, QpAttr.to(QpState.RTS).port(World.PORT));
            case RTS_WITH_PSN -> modify(peer, QpAttr.to(QpState.RTS).sqPsn(1));
            case RTS_SAME -> modify(peer, datagram
                    ? QpAttr.to(QpState.RTS).qkey(World.QKEY)
                    : QpAttr.to(QpState.RTS).access(World.REMOTE_ALL));
            case REGISTER_REMOTE_WRITE_ALONE -> register(place, Access.REMOTE_WRITE);
            case REGISTER_ATOMIC_ALONE -> register(place, Access.REMOTE_ATOMIC | Access.REMOTE_READ);
            case REGISTER_READ_ONLY -> register(place, Access.REMOTE_READ);
            case DESTROY_BUSY_DOMAIN -> destroy(end, place.domain);
            case DESTROY_BUSY_CQ -> destroy(end, world.sendCq(peer));
            case DESTROY_BUSY_SRQ -> destroy(sharing.end, sharing.srq);
            case CQ_OF_SIZE_ZERO -> destroy(end, end.createCq(End.MAIN, 0, End.NONE, 0).id());
            case CQ_TOO_LARGE -> destroy(end, end.createCq(End.MAIN, 1 << 30, End.NONE, 0).id());
            case CQ_BAD_VECTOR -> destroy(end, end.createCq(End.MAIN, 10, End.NONE, 1000).id());
            case QP_TOO_MANY_ELEMENTS -> createQp(end, spec(place).maxSges(1000, 1));
            case QP_TOO_MANY_REQUESTS -> createQp(end, spec(place).wrs(end.queryDevice(End.MAIN).maxQpWr() + 1, 1));
            case SEND_TOO_MANY_ELEMENTS -> post(peer, write(peer).sges(
                    elements(place, world.qps.get(peer).capabilities().maxSendSge() + 1)));
            case RECEIVE_TOO_MANY_ELEMENTS -> describe(end.tryPostReceive(world.qps.get(peer).id(), List.of(
                    RecvSpec.recv(elements(place, world.qps.get(peer).capabilities().maxRecvSge() + 1)))));
            case INLINE_TOO_LONG -> post(peer, write(peer).sges(
                    Sge.inline(new byte[world.qps.get(peer).capabilities().maxInlineData() + 1])).inline());
            case UNKNOWN_OPCODE -> post(peer, write(peer).opcode(99));
            case RESIZE_CQ -> {
                end.resizeCq(world.sendCq(peer), world.setup.cqe() + 50);
                yield "0";
            }
            case NEW_WINDOW -> {
                if (place.window != 0) {
                    world.newWindow();
                }
                yield "0";
            }
            case WINDOW_OF_UNKNOWN_TYPE -> destroy(end, end.allocateMw(place.domain, 3).id());
            case BAD_PKEY_INDEX -> badPkey(place);
            case BAD_GID_INDEX -> destroy(end, end.createAh(place.domain,
                    AhAttributes.to(Gid.parse("::ffff:192.0.2.1"), World.PORT, 250)));
            case SRQ_LIMIT -> {
                sharing.end.modifySrq(sharing.srq, null, 1);
                yield "0";
            }
            case SRQ_LIMIT_TOO_HIGH -> {
                sharing.end.modifySrq(sharing.srq, null, 100_000);
                yield "0";
            }
        };
    }

    private String query(Peer peer) {
        QpAttr attr = end(peer).queryQp(world.qps.get(peer).id());
        Map<String, Object> known = new TreeMap<>();
        for (QpAttribute attribute : QUERIED) {
            if (attr.has(attribute) && appliesToType(attribute)) {
                known.put(attribute.name(), attr.number(attribute));
            }
        }
        if (world.setup.type() != QpType.UD) {
            known.put("connected", attr.number(QpAttribute.DEST_QPN) == world.qps.get(peer.other()).number());
        }
        return known.toString();
    }

    /** Attributes that a type does not have contain arbitrary values in a query. */
    private boolean appliesToType(QpAttribute attribute) {
        return switch (attribute) {
            case TIMEOUT, RETRY_CNT, RNR_RETRY, MIN_RNR_TIMER -> world.setup.type() == QpType.RC;
            case PATH_MTU, ACCESS_FLAGS -> world.setup.type() != QpType.UD;
            case QKEY -> world.setup.type() == QpType.UD;
            default -> true;
        };
    }

    private static String register(Place place, int access) {
        return destroy(place.end, place.end.registerMemory(
                MrSpec.part(place.domain, place.memory, 0, Layout.SIZE, access)).id());
    }

    private static String destroy(End end, int id) {
        end.destroy(id);
        return "0";
    }

    private QpSpec spec(Place place) {
        return QpSpec.of(world.setup.type(), place.domain, place.cqs.getFirst());
    }

    private static String createQp(End end, QpSpec spec) {
        return destroy(end, end.createQp(spec).id());
    }

    private String badPkey(Place place) {
        End end = place.end;
        int qp = end.createQp(spec(place)).id();
        try {
            QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(10_000).port(World.PORT);
            end.modifyQp(qp, world.setup.type() == QpType.UD
                    ? init.qkey(World.QKEY)
                    : init.access(World.REMOTE_ALL));
            return "0";
        } finally {
            end.destroy(qp);
        }
    }

    private static Sge[] elements(Place place, int count) {
        long address = place.regions.get(Key.LOCAL).address();
        int key = place.regions.get(Key.LOCAL).lkey();
        return Stream.generate(() -> Sge.raw(address, 1, key)).limit(count).toArray(Sge[]::new);
    }

    private SendSpec write(Peer peer) {
        Place to = world.place(peer.other());
        if (world.setup.type() == QpType.UD) {
            return SendSpec.send().to(world.place(peer).ah, world.qps.get(peer.other()).number(), World.QKEY);
        }
        return SendSpec.write(to.regions.get(Key.ALL).address() + Layout.target(peer.other(), 0),
                to.regions.get(Key.ALL).rkey());
    }

    private String post(Peer peer, SendSpec spec) {
        return describe(end(peer).tryPostSend(world.qps.get(peer).id(), List.of(spec.signaled())));
    }

    private static String describe(PostResult result) {
        return result.ok() ? "0" : "errno " + result.errno() + " at " + result.failedIndex();
    }
}
