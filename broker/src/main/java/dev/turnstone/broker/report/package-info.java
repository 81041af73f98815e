/** What a broker says about itself when asked: values, made on the engine's thread and read by any. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.report;
