package dev.turnstone.broker.filter;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.activemq.artemis.selector.filter.ArithmeticExpression;
import org.apache.activemq.artemis.selector.filter.BinaryExpression;
import org.apache.activemq.artemis.selector.filter.ConstantExpression;
import org.apache.activemq.artemis.selector.filter.Expression;
import org.apache.activemq.artemis.selector.filter.FilterException;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.apache.activemq.artemis.selector.filter.LogicExpression;
import org.apache.activemq.artemis.selector.filter.UnaryExpression;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic as the specification has it (Jakarta Messaging 3.1 §3.8.1.1): of exact numbers it is exact and stays so,
 * as in Java and SQL-92, where the library divides everything as double and adds integers of 32 bits; what cannot be
 * computed is unknown, where the library would give up the whole selector. Immutable after the compilation.
 */
final class Arithmetic extends BinaryExpression {
    /** The library gives access to two operands of a logic expression only, and merges longer chains into one. */
    private static final Field OPERANDS = operands();

    private final String sign;
    private final boolean convertsTexts;

    private Arithmetic(Expression left, Expression right, String sign, boolean convertsTexts) {
        super(left, right);
        this.sign = sign;
        this.convertsTexts = convertsTexts;
    }

    private static Field operands() {
        try {
            Field operands = LogicExpression.class.getDeclaredField("expressions");
            operands.setAccessible(true);
            return operands;
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unchecked") // The library's list is of conditions, and raw here.
    private static List<Expression> operands(LogicExpression logic) {
        try {
            return (List<Expression>) OPERANDS.get(logic);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the selector library hides its operands", e);
        }
    }

    /**
     * Replaces the library's arithmetic, and its LIKE, in an expression.
     *
     * @param convertsTexts true if texts count as the numbers that they show
     */
    static Expression exact(Expression expression, boolean convertsTexts) {
        if (expression instanceof BinaryExpression binary) {
            Expression left = exact(binary.getLeft(), convertsTexts);
            Expression right = exact(binary.getRight(), convertsTexts);
            if (expression instanceof ArithmeticExpression) {
                return new Arithmetic(left, right, binary.getExpressionSymbol(), convertsTexts);
            }
            boolean ofNumbers = convertsTexts && (isNumber(left) || isNumber(right));
            binary.setLeft(ofNumbers ? number(left) : left);
            binary.setRight(ofNumbers ? number(right) : right);
        } else if (expression instanceof UnaryExpression unary && unary.getRight() != null) {
            unary.setRight(exact(unary.getRight(), convertsTexts));
        } else if (expression instanceof LogicExpression logic) {
            operands(logic).replaceAll(operand -> exact(operand, convertsTexts));
        }
        return Like.inPlaceOf(expression);
    }

    private static boolean isNumber(Expression side) {
        return side instanceof Arithmetic
                || (side instanceof ConstantExpression constant && constant.getValue() instanceof Number);
    }

    /** The number that a text shows: the library would read it as of the type that the other side happens to have. */
    private static Expression number(Expression side) {
        return isNumber(side) ? side : new Arithmetic(side, new ConstantExpression(0), "+", true);
    }

    @Override
    public String getExpressionSymbol() {
        return sign;
    }

    @Override
    public @Nullable Object evaluate(Filterable message) throws FilterException {
        Number first = number(left.evaluate(message));
        Number second = first == null ? null : number(right.evaluate(message));
        if (first == null || second == null) {
            return null;
        }
        return isExact(first) && isExact(second)
                ? exactly(first.longValue(), second.longValue())
                : approximately(first.doubleValue(), second.doubleValue());
    }

    private @Nullable Number number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number;
        }
        if (!convertsTexts || !(value instanceof String text)) {
            return null;
        }
        try {
            return text.indexOf('.') < 0 ? (Number) Long.valueOf(text) : Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static boolean isExact(Number number) {
        return !(number instanceof Double || number instanceof Float);
    }

    private @Nullable Number exactly(long first, long second) {
        try {
            return switch (sign) {
                case "+" -> Math.addExact(first, second);
                case "-" -> Math.subtractExact(first, second);
                case "*" -> Math.multiplyExact(first, second);
                case "/" -> first / second;
                default -> first % second;
            };
        } catch (ArithmeticException e) {
            // Beyond what a long holds, or divided by zero.
            return second == 0 ? null : approximately((double) first, (double) second);
        }
    }

    private Number approximately(double first, double second) {
        return switch (sign) {
            case "+" -> first + second;
            case "-" -> first - second;
            case "*" -> first * second;
            case "/" -> first / second;
            default -> first % second;
        };
    }
}
