package dev.turnstone.xa;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.transaction.xa.XAException;

/**
 * The next start after a process was halted, a process of its own as it would be: completes what is in doubt and writes
 * down what it finds.
 */
final class KillPlacesCheckMain {
    static final String FOUND = "found.txt";

    private KillPlacesCheckMain() {}

    public static void main(String[] args) throws JMSException, SQLException, XAException, IOException {
        Path folder = Path.of(args[0]);
        List<String> lines;
        try (Shop shop = new Shop(folder, args[1], UnaryOperator.identity(), UnaryOperator.identity())) {
            lines = List.of(
                    "in doubt " + shop.inDoubt(),
                    "orders " + shop.takeAll("orders"),
                    "sold " + shop.sold(),
                    "bills " + shop.takeAll("bills"));
        }
        Files.write(folder.resolve(FOUND), lines);
    }
}
