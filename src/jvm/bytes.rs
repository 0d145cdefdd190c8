//! Text to bytes and back, hashes, Base64 and URL coding. In and out: UTF-16 text and bytes, with the JDK's replacements and
//! exceptions. Never covers a charset by half: others than the six standard ones are refused.

use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use md5::Digest;

use super::text::JStr;
use super::value::{Eval, Throw};

/// The charsets that every JVM has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Charset {
    /// `US-ASCII`.
    Ascii,
    /// `ISO-8859-1`.
    Latin1,
    /// `UTF-8`.
    Utf8,
    /// `UTF-16`: big-endian with a mark.
    Utf16,
    /// `UTF-16BE`.
    Utf16Be,
    /// `UTF-16LE`.
    Utf16Le,
}

impl Charset {
    /// By a name or an alias, in any case; the exception of the caller's choice where there is none.
    pub fn named(name: &str, exception: &'static str) -> Eval<Charset> {
        Ok(match name.to_ascii_uppercase().as_str() {
            "US-ASCII" | "ASCII" | "ISO646-US" | "ASCII7" => Charset::Ascii,
            "ISO-8859-1" | "ISO8859_1" | "LATIN1" | "ISO8859-1" | "L1" => Charset::Latin1,
            "UTF-8" | "UTF8" => Charset::Utf8,
            "UTF-16" | "UTF16" | "UTF_16" => Charset::Utf16,
            "UTF-16BE" | "UTF_16BE" => Charset::Utf16Be,
            "UTF-16LE" | "UTF_16LE" => Charset::Utf16Le,
            other if other.starts_with("WINDOWS-") || other.starts_with("ISO-8859") || other.starts_with("CP") => {
                return Err(Throw::Unsupported(format!("the charset {name} is not covered")));
            }
            _ if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-+.:_".contains(&b)) => {
                return Err(Throw::exception(
                    if exception == "UnsupportedEncodingException" {
                        exception
                    } else {
                        "IllegalCharsetNameException"
                    },
                    name,
                ));
            }
            _ => return Err(Throw::Unsupported(format!("the charset {name} is not covered"))),
        })
    }

    /// The canonical name.
    pub fn name(self) -> &'static str {
        match self {
            Charset::Ascii => "US-ASCII",
            Charset::Latin1 => "ISO-8859-1",
            Charset::Utf8 => "UTF-8",
            Charset::Utf16 => "UTF-16",
            Charset::Utf16Be => "UTF-16BE",
            Charset::Utf16Le => "UTF-16LE",
        }
    }

    /// `String.getBytes`: what cannot be written becomes `?` (in UTF-16 the replacement character).
    pub fn encode(self, text: &JStr) -> Vec<u8> {
        let chars = || char::decode_utf16(text.units().iter().copied().collect::<Vec<_>>());
        let narrow = |limit: u32| {
            chars()
                .map(|c| match c {
                    Ok(c) if u32::from(c) < limit => u32::from(c) as u8,
                    _ => b'?',
                })
                .collect()
        };
        let wide = |unit: fn(u16) -> [u8; 2]| {
            let mut units = [0; 2];
            chars()
                .flat_map(|c| c.unwrap_or('\u{fffd}').encode_utf16(&mut units).to_vec())
                .flat_map(unit)
                .collect::<Vec<u8>>()
        };
        match self {
            Charset::Ascii => narrow(0x80),
            Charset::Latin1 => narrow(0x100),
            Charset::Utf8 => text.to_utf8().as_bytes().to_vec(),
            Charset::Utf16Be => wide(u16::to_be_bytes),
            Charset::Utf16Le => wide(u16::to_le_bytes),
            Charset::Utf16 if text.is_empty() => Vec::new(),
            Charset::Utf16 => [vec![0xfe, 0xff], wide(u16::to_be_bytes)].concat(),
        }
    }

    /// `new String(bytes, charset)`: what cannot be read becomes the replacement character.
    pub fn decode(self, bytes: &[u8]) -> Eval<JStr> {
        let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| -> JStr {
            let units: Vec<u16> = bytes.chunks_exact(2).map(|b| unit([b[0], b[1]])).collect();
            let mut text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
            if bytes.len() % 2 == 1 {
                text.push('\u{fffd}');
            }
            JStr::new(&text)
        };
        Ok(match self {
            Charset::Ascii => {
                let units: Vec<u16> = bytes
                    .iter()
                    .map(|b| if *b < 0x80 { u16::from(*b) } else { 0xfffd })
                    .collect();
                JStr::from_units(&units)
            }
            Charset::Latin1 => JStr::from_units(&bytes.iter().map(|b| u16::from(*b)).collect::<Vec<_>>()),
            Charset::Utf8 => JStr::new(&String::from_utf8_lossy(bytes)),
            Charset::Utf16Be => wide(bytes, u16::from_be_bytes),
            Charset::Utf16Le => wide(bytes, u16::from_le_bytes),
            Charset::Utf16 => match bytes {
                [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
                [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
                _ => wide(bytes, u16::from_be_bytes),
            },
        })
    }
}

/// Algorithms of `MessageDigest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// `MD5`.
    Md5,
    /// `SHA-1`.
    Sha1,
    /// `SHA-224`.
    Sha224,
    /// `SHA-256`.
    Sha256,
    /// `SHA-384`.
    Sha384,
    /// `SHA-512`.
    Sha512,
}

impl Hash {
    /// `MessageDigest.getInstance`.
    pub fn named(name: &str) -> Eval<Hash> {
        Ok(match name.to_ascii_uppercase().as_str() {
            "MD5" => Hash::Md5,
            "SHA" | "SHA1" | "SHA-1" => Hash::Sha1,
            "SHA-224" | "SHA224" => Hash::Sha224,
            "SHA-256" | "SHA256" => Hash::Sha256,
            "SHA-384" | "SHA384" => Hash::Sha384,
            "SHA-512" | "SHA512" => Hash::Sha512,
            "MD2" | "SHA-512/224" | "SHA-512/256" | "SHA3-224" | "SHA3-256" | "SHA3-384" | "SHA3-512" => {
                return Err(Throw::Unsupported(format!("the digest {name} is not covered")));
            }
            _ => {
                return Err(Throw::exception(
                    "NoSuchAlgorithmException",
                    format!("{name} MessageDigest not available"),
                ));
            }
        })
    }

    /// The name as `getAlgorithm` would give the standard one.
    pub fn name(self) -> &'static str {
        match self {
            Hash::Md5 => "MD5",
            Hash::Sha1 => "SHA-1",
            Hash::Sha224 => "SHA-224",
            Hash::Sha256 => "SHA-256",
            Hash::Sha384 => "SHA-384",
            Hash::Sha512 => "SHA-512",
        }
    }

    /// The digest of some bytes.
    pub fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Hash::Md5 => md5::Md5::digest(bytes).to_vec(),
            Hash::Sha1 => sha1::Sha1::digest(bytes).to_vec(),
            Hash::Sha224 => sha2::Sha224::digest(bytes).to_vec(),
            Hash::Sha256 => sha2::Sha256::digest(bytes).to_vec(),
            Hash::Sha384 => sha2::Sha384::digest(bytes).to_vec(),
            Hash::Sha512 => sha2::Sha512::digest(bytes).to_vec(),
        }
    }
}

/// `CRC32.getValue` of some bytes.
pub fn crc32(bytes: &[u8]) -> i64 {
    crc32fast::hash(bytes).into()
}

/// `UUID.nameUUIDFromBytes`: version 3.
pub fn name_uuid(bytes: &[u8]) -> [u8; 16] {
    let mut uuid = [0; 16];
    uuid.copy_from_slice(&Hash::Md5.digest(bytes));
    uuid[6] = uuid[6] & 0x0f | 0x30;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    uuid
}

/// `UUID.toString`.
pub fn uuid_text(uuid: &[u8; 16]) -> String {
    let hex: String = uuid.iter().map(|b| format!("{b:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// The coders of `java.util.Base64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base64 {
    /// `getUrlEncoder`, `getUrlDecoder`.
    pub url: bool,
    /// Without `withoutPadding`.
    pub padding: bool,
}

impl Base64 {
    fn engine(self) -> GeneralPurpose {
        let alphabet = if self.url {
            &alphabet::URL_SAFE
        } else {
            &alphabet::STANDARD
        };
        let config = GeneralPurposeConfig::new()
            .with_encode_padding(self.padding)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true);
        GeneralPurpose::new(alphabet, config)
    }

    /// `encode`.
    pub fn encode(self, bytes: &[u8]) -> String {
        self.engine().encode(bytes)
    }

    /// `decode`: padding is optional but complete where there is any; leftover bits are dropped.
    pub fn decode(self, text: &[u8]) -> Eval<Vec<u8>> {
        let body = text
            .strip_suffix(b"==")
            .or_else(|| text.strip_suffix(b"="))
            .unwrap_or(text);
        let padding = text.len() - body.len();
        if padding > 0 && !(body.len() + padding).is_multiple_of(4) {
            return Err(Throw::exception(
                "IllegalArgumentException",
                "Input byte array has wrong 4-byte ending unit",
            ));
        }
        self.engine()
            .decode(body)
            .map_err(|e| Throw::exception("IllegalArgumentException", e.to_string()))
    }
}

/// `URLEncoder.encode` in UTF-8: a lone surrogate becomes `?`, which is written as it is encoded.
pub fn url_encode(text: &JStr) -> String {
    let mut out = String::new();
    for c in text.to_utf8().chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' | '*' => out.push(c),
            ' ' => out.push('+'),
            other => {
                let mut buffer = [0; 4];
                for byte in other.encode_utf8(&mut buffer).bytes() {
                    out.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    out
}

/// `URLDecoder.decode` in UTF-8.
pub fn url_decode(text: &JStr) -> Eval<JStr> {
    let units = text.units();
    let mut out: Vec<u16> = Vec::new();
    let mut at = 0;
    let illegal = |message: String| Throw::exception("IllegalArgumentException", message);
    while at < units.len() {
        match units[at] {
            u if u == u16::from(b'+') => {
                out.push(u16::from(b' '));
                at += 1;
            }
            u if u == u16::from(b'%') => {
                let mut bytes = Vec::new();
                while at < units.len() && units[at] == u16::from(b'%') {
                    if at + 2 >= units.len() {
                        return Err(illegal("URLDecoder: Incomplete trailing escape (%) pattern".into()));
                    }
                    let hex = String::from_utf16_lossy(&units[at + 1..at + 3]);
                    bytes.push(escaped_byte(&hex).map_err(illegal)?);
                    at += 3;
                }
                out.extend_from_slice(&Charset::Utf8.decode(&bytes)?.units());
            }
            other => {
                out.push(other);
                at += 1;
            }
        }
    }
    Ok(JStr::from_units(&out))
}

/// Two hexadecimal digits as `Integer.parseInt` reads them, so that `+5` counts and `-1` is refused.
fn escaped_byte(hex: &str) -> Result<u8, String> {
    let prefix = "URLDecoder: Illegal hex characters in escape (%) pattern - ";
    let value = i32::from_str_radix(hex, 16).map_err(|_| format!("{prefix}Error at index 0 in: \"{hex}\""))?;
    u8::try_from(value).map_err(|_| format!("{prefix}negative value"))
}
