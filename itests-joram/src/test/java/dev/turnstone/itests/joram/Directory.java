package dev.turnstone.itests.joram;

import java.util.Map;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;

/** A naming context over a map of administered objects, for look-ups by plain names. Any thread. */
final class Directory extends InitialContext {
    private final Map<String, Object> names;

    Directory(Map<String, Object> names) throws NamingException {
        super(true);
        this.names = names;
    }

    @Override
    public Object lookup(String name) throws NamingException {
        Object found = names.get(name);
        if (found == null) {
            throw new NameNotFoundException(name);
        }
        return found;
    }

    @Override
    public void close() {}
}
