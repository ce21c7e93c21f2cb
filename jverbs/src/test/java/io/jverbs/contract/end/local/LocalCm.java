package io.jverbs.contract.end.local;

import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.end.CmCommands;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The connection manager. */
final class LocalCm implements CmCommands {
    private final Objects objects;
    private final LocalQueues queues;

    LocalCm(Objects objects, LocalQueues queues) {
        this.objects = objects;
        this.queues = queues;
    }

    private CmId id(int id) {
        return objects.get(id, CmId.class);
    }

    @Override
    public int createCmChannel(int context) {
        return objects.add(CmEventChannel.create(objects.context(context)));
    }

    @Override
    public int createCmId(int channel, PortSpace portSpace) {
        return objects.add(objects.get(channel, CmEventChannel.class).createId(portSpace));
    }

    @Override
    public CmEventInfo awaitCmEvent(int channel, long millis) {
        CmEvent event;
        try {
            event = objects.get(channel, CmEventChannel.class).awaitEvent(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EndFailure(InterruptedException.class.getName(), e.getMessage());
        }
        if (event == null) {
            return null;
        }
        if (event.listener() != null) {
            objects.add(event.id());
        }
        byte[] data = new byte[event.privateData().remaining()];
        event.privateData().get(data);
        return new CmEventInfo(objects.add(event), event.type(), objects.idOf(event.id()),
                objects.idOf(event.listener()), event.status(), data, event.responderResources(),
                event.initiatorDepth(), event.retryCount(), event.rnrRetryCount(), event.qpNumber(), event.qkey(),
                event.address());
    }

    @Override
    public void ackCmEvent(int event) {
        objects.get(event, CmEvent.class).acknowledge();
    }

    @Override
    public void cmBind(int id, InetSocketAddress address) {
        id(id).bind(address);
    }

    @Override
    public void cmResolveAddress(int id, InetSocketAddress source, InetSocketAddress destination, long millis) {
        id(id).resolveAddress(source, destination, Duration.ofMillis(millis));
    }

    @Override
    public void cmResolveRoute(int id, long millis) {
        id(id).resolveRoute(Duration.ofMillis(millis));
    }

    @Override
    public QpInfo cmCreateQp(int id, QpSpec spec) {
        return queues.queryQpObject(objects
                .create(own -> id(id).createQueuePair(objects.pd(spec.pd()), queues.attributes(spec, own))));
    }

    @Override
    public void cmListen(int id, int backlog) {
        id(id).listen(backlog);
    }

    private static ConnectionParameters parameters(CmParams given) {
        ConnectionParameters.Builder all = ConnectionParameters.builder()
                .privateData(ByteBuffer.wrap(given.privateData())).responderResources(given.responderResources())
                .initiatorDepth(given.initiatorDepth()).retryCount(given.retryCount())
                .rnrRetryCount(given.rnrRetryCount());
        return given.qpNumber() == 0 ? all.build() : all.queuePair(given.qpNumber(), false).build();
    }

    @Override
    public void cmConnect(int id, CmParams given) {
        id(id).connect(parameters(given));
    }

    @Override
    public void cmAccept(int id, CmParams given) {
        id(id).accept(parameters(given));
    }

    @Override
    public void cmReject(int id, byte[] privateData) {
        id(id).reject(ByteBuffer.wrap(privateData));
    }

    @Override
    public void cmEstablish(int id) {
        id(id).establish();
    }

    @Override
    public void cmNotify(int id) {
        id(id).notify(AsyncEventType.COMM_EST);
    }

    @Override
    public void cmDisconnect(int id) {
        id(id).disconnect();
    }

    @Override
    public QpAttr cmQpAttributes(int id, QpState state) {
        return Attributes.fromApi(id(id).initQpAttributes(state));
    }

    @Override
    public void cmJoin(int id, InetAddress group, boolean sendOnly) {
        id(id).joinMulticast(new InetSocketAddress(group, 0), sendOnly, null);
    }

    @Override
    public void cmLeave(int id, InetAddress group) {
        id(id).leaveMulticast(new InetSocketAddress(group, 0));
    }

    @Override
    public void cmOption(int id, CmOption option, int value) {
        switch (option) {
            case TOS -> id(id).options().typeOfService(value);
            case REUSE_ADDRESS -> id(id).options().reuseAddress(value != 0);
            case FAMILY_ONLY -> id(id).options().addressFamilyOnly(value != 0);
            case ACK_TIMEOUT -> id(id).options().ackTimeout(value);
        }
    }

    @Override
    public void cmMigrate(int id, int channel) {
        id(id).migrate(objects.get(channel, CmEventChannel.class));
    }

    @Override
    public CmIdInfo cmInfo(int id) {
        return new CmIdInfo(id(id).localAddress(), id(id).peerAddress(), id(id).port());
    }
}
