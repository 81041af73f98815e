/** MQTT from outside: scripted packets and the clients that people use, against an embedded broker on a real socket. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.mqtt;
