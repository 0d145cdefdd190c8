package org.example.time;

import java.sql.Date;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/** Dates. */
public class TimeRules {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("dd/MM/yyyy");

    public static final UDF1<Date, Integer> QUARTER = d -> d == null ? null : (d.toLocalDate().getMonthValue() - 1) / 3 + 1;

    public static final UDF1<Date, Boolean> WEEKEND = d -> {
        DayOfWeek w = d.toLocalDate().getDayOfWeek();
        return w == DayOfWeek.SATURDAY || w == DayOfWeek.SUNDAY;
    };

    public static final UDF1<String, String> REFORMAT = s -> {
        if (s == null) return null;
        try {
            LocalDate d = LocalDate.parse(s, DAY);
            return d.plusDays(30).toString();
        } catch (DateTimeParseException e) {
            return "bad";
        }
    };

    public static final UDF2<Date, Date, Long> DAYS = (a, b) -> ChronoUnit.DAYS.between(a.toLocalDate(), b.toLocalDate());

    public static final UDF1<Date, String> FORMAT = d -> d.toLocalDate().format(DAY);

    public static final UDF1<Date, Date> MONTH_END = d -> {
        if (d == null) return null;
        LocalDate l = d.toLocalDate();
        return Date.valueOf(l.withDayOfMonth(l.lengthOfMonth()));
    };

    public static final UDF1<Timestamp, Integer> HOUR = t -> t.toLocalDateTime().getHour();

    public static final UDF2<String, Integer, Integer> AGE = (born, year) -> {
        LocalDate d = LocalDate.parse(born);
        return year - d.getYear();
    };
}
