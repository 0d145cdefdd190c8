//! Time zones by the ids that Spark takes: the offset at an instant, and the instant of a local time, by the rules of
//! `java.time`.

use super::plan::{RowResult, Stop};
use crate::jvm::time::zone::Zone as JavaZone;
use crate::jvm::value::Throw;

/// A time zone of the JVM.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone(JavaZone);

/// `ZoneId.SHORT_IDS`.
const SHORT_IDS: [(&str, &str); 28] = [
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("EST", "-05:00"),
    ("HST", "-10:00"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("MST", "-07:00"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
];

impl Zone {
    /// A zone by its id, as Spark's `getZoneId` reads it: `None` when there is none, a refusal where the rules of the JDK are
    /// not known here.
    pub fn parse(id: &str) -> RowResult<Option<Zone>> {
        let id = pad_offset(id.trim());
        let id = SHORT_IDS
            .iter()
            .find(|(short, _)| *short == id)
            .map_or(id.as_str(), |(_, long)| long);
        match JavaZone::of(id) {
            Ok(z) => Ok(Some(Zone(z))),
            Err(Throw::Unsupported(why)) => Err(Stop::Refuse(why)),
            Err(_) => Ok(None),
        }
    }

    /// Coordinated universal time.
    pub fn utc() -> Zone {
        Zone(JavaZone::utc())
    }

    /// Seconds east of UTC at an instant in microseconds.
    pub fn offset_at(&self, micros: i64) -> i64 {
        i64::from(self.0.offset_at(micros.div_euclid(1_000_000)))
    }

    /// Local time in microseconds for an instant.
    pub fn to_local(&self, micros: i64) -> i64 {
        micros.saturating_add(self.offset_at(micros) * 1_000_000)
    }

    /// The instant of a local time: in a gap it moves on by the length of the gap, in an overlap the earlier offset counts.
    pub fn to_utc(&self, local: i64) -> i64 {
        let offset = self.0.offset_of_local(local.div_euclid(1_000_000));
        local.saturating_sub(i64::from(offset) * 1_000_000)
    }
}

/// Gives an offset such as `+1:5` its missing zeros.
fn pad_offset(id: &str) -> String {
    let Some(at) = id.find(['+', '-']) else {
        return id.to_string();
    };
    let (head, body) = id.split_at(at + 1);
    let mut parts: Vec<String> = body.split(':').map(str::to_string).collect();
    let digits = |s: &str, n: usize| s.len() == n && s.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 1 && digits(&parts[0], 1) {
        parts[0].insert(0, '0');
    }
    if parts.len() == 2 && digits(&parts[0], 2) && digits(&parts[1], 1) {
        parts[1].insert(0, '0');
    }
    format!("{head}{}", parts.join(":"))
}

#[cfg(test)]
mod tests {
    use super::super::calendar::{DAY, days_of};
    use super::*;

    #[test]
    fn rules_go_on_beyond_the_table() {
        let zone = |id| Zone::parse(id).unwrap().unwrap();
        let at = |y, m| days_of(y, m, 15) * DAY;
        assert_eq!(zone("America/New_York").offset_at(at(2050, 7)), -4 * 3600);
        assert_eq!(zone("PST").offset_at(at(2060, 1)), -8 * 3600);
        assert_eq!(zone("America/Sao_Paulo").offset_at(at(2040, 1)), -3 * 3600);
        assert_eq!(zone("+1:5").offset_at(0), 3900);
        assert!(Zone::parse("Nowhere/Else").unwrap().is_none());
    }

    #[test]
    fn gaps_move_on_and_overlaps_take_the_first() {
        let ny = Zone::parse("America/New_York").unwrap().unwrap();
        let local = |d: i64, h: i64| days_of(2024, 3, d) * DAY + h * 3_600_000_000;
        assert_eq!(ny.to_local(ny.to_utc(local(10, 2))), local(10, 3));
        let twice = days_of(2024, 11, 3) * DAY + 3_600_000_000;
        assert_eq!(twice - ny.to_utc(twice), -4 * 3_600_000_000);
    }
}
