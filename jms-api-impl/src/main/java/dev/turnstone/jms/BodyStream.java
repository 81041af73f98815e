package dev.turnstone.jms;

import java.io.IOException;
import java.io.InputStream;

/** A body that is read from its beginning, and again from a place that was kept. One thread. */
abstract class BodyStream extends InputStream {
    /** The place that was reached is the one to go back to. */
    abstract void keepPlace();

    /** Goes on from the place that was kept last. */
    abstract void goBack() throws IOException;
}
