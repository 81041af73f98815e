package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.itests.process.Parent;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * A subscriber of QoS 2 by the book: a message is noted with its packet identifier before PUBREC, and what comes under
 * an identifier that PUBREL has not released is not noted again.
 */
final class SubscriberMain {
    static final String DIARY = "subscriber";
    private static final long KEPT_S = 0xffff_ffffL;
    private static final int RECEIVE_MAXIMUM = 0x21;

    private final Diary diary;
    private final Set<Integer> unreleased = new HashSet<>();
    private boolean known;

    private SubscriberMain(Path file) throws IOException {
        for (String[] line : Diary.read(file)) {
            switch (line[0]) {
                case "known" -> known = true;
                case "got" -> unreleased.add(Integer.parseInt(line[1]));
                default -> unreleased.remove(Integer.parseInt(line[1]));
            }
        }
        diary = new Diary(file);
    }

    public static void main(String[] args) throws IOException {
        Parent.endWithIt();
        int port = Integer.parseInt(args[0]);
        SubscriberMain subscriber = new SubscriberMain(Path.of(args[1]).resolve(DIARY));
        while (true) {
            try (MqttPeer peer = MqttPeer.open(port)) {
                subscriber.receive(peer);
            } catch (IOException e) {
                Child.pause(); // The broker was killed; it will be back.
            }
        }
    }

    private void receive(MqttPeer peer) throws IOException {
        boolean present = peer.login(MqttLogin.v5("subscriber").keep(KEPT_S).property(RECEIVE_MAXIMUM, 20))
                .variableHeader()
                .isSessionPresent();
        if (known && !present) {
            diary.note("forgotten 0");
            throw new IllegalStateException("the broker has forgotten the subscriber's session");
        }
        if (!known) {
            peer.subscribe(BrokerMain.TO, 2);
            diary.note("known");
            known = true;
        }
        System.out.println(Child.READY);
        while (true) {
            MqttMessage message = peer.next();
            if (message instanceof MqttPublishMessage publish) {
                int packetId = publish.variableHeader().packetId();
                if (unreleased.add(packetId)) {
                    diary.note("got " + packetId + " " + MqttPeer.text(publish));
                }
                peer.ack(MqttMessageType.PUBREC, packetId);
            } else if (message.fixedHeader().messageType() == MqttMessageType.PUBREL) {
                int packetId = ((MqttMessageIdVariableHeader) message.variableHeader()).messageId();
                if (unreleased.remove(packetId)) {
                    diary.note("released " + packetId);
                }
                peer.ack(MqttMessageType.PUBCOMP, packetId);
            }
        }
    }
}
