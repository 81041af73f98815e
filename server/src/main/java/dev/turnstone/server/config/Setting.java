package dev.turnstone.server.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a record's component a setting, or a section of settings. What the type of a component says:
 *
 * <ul>
 *   <li>{@code boolean}, {@code int}, {@code long}, {@code String}, {@code Path}, an enum, or a class with a static
 *       {@code parse(String)} that throws IllegalArgumentException: one value;
 *   <li>a {@code List} or {@code Set} of these: several, also written as one text with commas;
 *   <li>a record: a section; {@code @Nullable}, it is null if nothing of it is written;
 *   <li>a {@code List} of records: a list of sections;
 *   <li>a {@code Map} from {@code String} to records: sections by names that the user chooses;
 *   <li>a {@code Map} from {@code String} to {@code String}: values by such names;
 *   <li>{@link dev.turnstone.broker.limit.Limits}: every named limit of the engine, at the top;
 *   <li>{@link dev.turnstone.broker.settings.AddressRules}: every setting of addresses, by patterns.
 * </ul>
 *
 * A component without the annotation is a section, or not set by users. What goes beyond one value, a record checks in
 * its constructor: it throws {@link WrongSetting}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it is for: a phrase without a full stop, as Markdown. */
    String value();

    /** What holds if nothing is written, as one would write it; empty for null, or an empty list. */
    String standard() default "";

    /** How the manual says what holds if nothing is written, where that differs. */
    String standardInWords() default "";

    /** The smallest number allowed. */
    long least() default Long.MIN_VALUE;

    /** The largest number allowed. */
    long most() default Long.MAX_VALUE;

    /** The number is an amount of bytes, and may have KiB, MiB, GiB or TiB. */
    boolean bytes() default false;

    /** Something must be written, if anything of the section is. */
    boolean required() default false;

    /** One value whose parser takes several, with commas between them; so a list may be written. */
    boolean list() default false;

    /** A change takes effect at SIGHUP; on a section, for all that is in it. */
    boolean live() default false;
}
