package dev.turnstone.demo;

/** The names by which the demo's parts meet. */
final class Doors {
    /** Where readings come in: the same topic in MQTT's and in JMS's spelling. */
    static final String READINGS_MQTT = "demo/readings";

    static final String READINGS = "demo.readings";
    /** Where results leave. */
    static final String RESULTS_MQTT = "demo/results";

    static final String RESULTS = "demo.results";
    /** Who takes readings. */
    static final String WORKER = "worker";

    private Doors() {}
}
