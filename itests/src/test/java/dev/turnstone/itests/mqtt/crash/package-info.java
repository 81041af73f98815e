/**
 * QoS 2 exactly once: publishers, a JMS application that forwards in transactions, and a subscriber, each in a process
 * that is killed with -9 at random. {@link dev.turnstone.itests.mqtt.crash.ExactlyOnceCampaign} drives them; what
 * publishers and the subscriber must remember over their own death is in their diaries.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.mqtt.crash;
