package io.jverbs.contract.end.local;

import io.jverbs.AsyncEvent;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.contract.end.EventCommands;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Infos.CqEvent;
import java.time.Duration;

/** Completion events and asynchronous events. */
final class LocalEvents implements EventCommands {

    private final Objects objects;

    LocalEvents(Objects objects) {
        this.objects = objects;
    }

    @Override
    public CqEvent awaitCqEvent(int channel, long millis) {
        CompletionQueue cq;
        try {
            cq = objects.get(channel, CompletionChannel.class).awaitEvent(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (cq == null) {
            return null;
        }
        int id = objects.idOf(cq);
        objects.delivered(id);
        return new CqEvent(id, String.valueOf(cq.userContext()));
    }

    @Override
    public AsyncInfo awaitAsyncEvent(int context, long millis) {
        AsyncEvent event;
        try {
            event = objects.context(context).awaitAsyncEvent(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (event == null) {
            return null;
        }
        return new AsyncInfo(objects.addEvent(event), event.type(), event.rawType(), objects.idOf(event.queuePair()),
                objects.idOf(event.completionQueue()), objects.idOf(event.sharedReceiveQueue()), event.port());
    }

    /** Tests that interrupt check the class name of the cause. */
    private static RuntimeException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new io.jverbs.contract.end.EndFailure(InterruptedException.class.getName(), e.getMessage());
    }

    @Override
    public void ackAsyncEvent(int event) {
        objects.event(event).acknowledge();
    }
}
