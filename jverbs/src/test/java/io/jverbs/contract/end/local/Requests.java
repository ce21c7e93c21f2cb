package io.jverbs.contract.end.local;

import io.jverbs.AddressHandle;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Converts request values to flyweights. Every flyweight has room for all its elements, even if there are too many. */
final class Requests {

    private final Objects objects;

    Requests(Objects objects) {
        this.objects = objects;
    }

    /** A linked chain of flyweights in order, and the inline memory to overwrite after the post. */
    record SendChain(List<SendWorkRequest> requests, List<MemorySegment> inline) {

        SendWorkRequest head() {
            return requests.getFirst();
        }

        void wipeInline() {
            inline.forEach(segment -> segment.fill((byte) 0xEE));
        }

        int indexOf(SendWorkRequest failed) {
            return requests.indexOf(failed);
        }
    }

    SendChain sends(List<SendSpec> specs) {
        List<MemorySegment> inline = new ArrayList<>();
        List<SendWorkRequest> chain = new ArrayList<>();
        for (SendSpec spec : specs) {
            chain.add(send(spec, inline));
        }
        for (int i = 0; i + 1 < chain.size(); i++) {
            chain.get(i).next(chain.get(i + 1));
        }
        return new SendChain(chain, inline);
    }

    private SendWorkRequest send(SendSpec spec, List<MemorySegment> inline) {
        SendWorkRequest request = SendWorkRequest.create(spec.sges().size());
        request.wrId(spec.wrId()).flags(spec.flags()).opcode(spec.opcode());
        if (WrOpcode.of(spec.opcode()) == WrOpcode.SEND_WITH_INV
                || WrOpcode.of(spec.opcode()) == WrOpcode.LOCAL_INV) {
            request.invalidateRkey(spec.invalidate());
        } else {
            request.immediate(spec.immediate());
        }
        SendSpec.Remote remote = spec.remote();
        if (remote != null) {
            boolean atomic = WrOpcode.of(spec.opcode()) == WrOpcode.ATOMIC_CMP_AND_SWP
                    || WrOpcode.of(spec.opcode()) == WrOpcode.ATOMIC_FETCH_AND_ADD;
            if (atomic) {
                request.atomic(remote.address(), remote.rkey(), remote.compareAdd(), remote.swap());
            } else {
                request.remote(remote.address(), remote.rkey());
            }
        }
        if (spec.datagram() != null) {
            request.destination(objects.orNull(spec.datagram().ah(), AddressHandle.class), spec.datagram().qpn(),
                    spec.datagram().qkey());
        }
        if (spec.bind() != null) {
            request.bind(objects.get(spec.bind().mw(), MemoryWindow.class), spec.bind().rkey(),
                    LocalMemory.bind(objects, spec.bind().to()));
        }
        for (int i = 0; i < spec.sges().size(); i++) {
            switch (spec.sges().get(i)) {
                case Sge.Raw raw -> request.sge(i, raw.address(), raw.length(), raw.lkey());
                case Sge.InRegion part ->
                    request.sge(i, objects.get(part.region(), MemoryRegion.class), part.offset(), part.length());
                case Sge.Inline bytes -> request.sge(i, inlineSource(bytes.bytes(), inline));
            }
        }
        return request;
    }

    private static MemorySegment inlineSource(byte[] bytes, List<MemorySegment> inline) {
        MemorySegment source = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, source, ValueLayout.JAVA_BYTE, 0, bytes.length);
        inline.add(source);
        return source;
    }

    List<ReceiveWorkRequest> receives(List<RecvSpec> specs) {
        List<ReceiveWorkRequest> chain = new ArrayList<>();
        for (RecvSpec spec : specs) {
            chain.add(receive(spec));
        }
        for (int i = 0; i + 1 < chain.size(); i++) {
            chain.get(i).next(chain.get(i + 1));
        }
        return chain;
    }

    private ReceiveWorkRequest receive(RecvSpec spec) {
        ReceiveWorkRequest request = ReceiveWorkRequest.create(spec.sges().size()).wrId(spec.wrId());
        for (int i = 0; i < spec.sges().size(); i++) {
            switch (spec.sges().get(i)) {
                case Sge.Raw raw -> request.sge(i, raw.address(), raw.length(), raw.lkey());
                case Sge.InRegion part ->
                    request.sge(i, objects.get(part.region(), MemoryRegion.class), part.offset(), part.length());
                case Sge.Inline bytes -> throw new IllegalArgumentException("a receive cannot have an inline element");
            }
        }
        return request;
    }
}
