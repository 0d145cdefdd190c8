//! Rows for hashes, Base64, URL coding, charsets. The JVM's default charset is taken to be UTF-8.

use std::sync::Mutex;

use crate::jvm::args;
use crate::jvm::bytes::{self, Base64, Charset, Hash};
use crate::jvm::object::{Object, Other};
use crate::jvm::rows::{Class, methods, object, statics};
use crate::jvm::table::{Context, Method};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view::lock;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[
    STRING,
    NEW_STRING,
    CHARSETS,
    CHARSET,
    CHARSET_METHODS,
    DIGEST,
    DIGEST_METHODS,
    BASE64,
    ENCODER,
    DECODER,
    URL_ENCODER,
    URL_DECODER,
    NEW_CRC32,
    CRC32_METHODS,
    UUIDS,
    UUID_METHODS,
];

macro_rules! other_class {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(clippy::upper_case_acronyms)]
        pub struct $name($inner);

        impl Other for $name {
            fn class_name(&self) -> &'static str {
                stringify!($name)
            }
            fn as_any(&self) -> &dyn std::any::Any {
                self
            }
        }

        impl Class for $name {
            fn get(value: &Value) -> Eval<Self> {
                other(value, stringify!($name)).copied()
            }
            fn put(self) -> Value {
                object(Object::Other(Box::new(self)))
            }
        }
    };
}

other_class!(
    /// `java.util.Base64.Encoder`.
    Encoder(Base64)
);
other_class!(
    /// `java.util.Base64.Decoder`.
    Decoder(Base64)
);
other_class!(
    /// `java.util.UUID`.
    UUID([u8; 16])
);

/// `java.nio.charset.Charset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharsetObject(Charset);

impl Other for CharsetObject {
    fn class_name(&self) -> &'static str {
        "Charset"
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// `java.security.MessageDigest`: what was given to `update` so far.
#[derive(Debug)]
struct MessageDigest(Hash, Mutex<Vec<u8>>);

impl Other for MessageDigest {
    fn class_name(&self) -> &'static str {
        "MessageDigest"
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// `java.util.zip.CRC32`.
#[derive(Debug)]
struct Crc32(Mutex<Vec<u8>>);

impl Other for Crc32 {
    fn class_name(&self) -> &'static str {
        "CRC32"
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn other<'a, T: 'static>(value: &'a Value, wanted: &str) -> Eval<&'a T> {
    match args::object(value)? {
        Object::Other(other) => other.as_any().downcast_ref(),
        _ => None,
    }
    .ok_or_else(|| args::mismatch(wanted, value))
}

/// The bytes of an `Array[Byte]`.
fn array(cx: &mut dyn Context, value: &Value) -> Eval<Vec<u8>> {
    let Object::Array(items) = args::object(value)? else {
        return Err(args::mismatch("Array[Byte]", value));
    };
    let items = lock(items);
    cx.step(items.len() as u64)?;
    items.iter().map(|item| args::byte(item).map(|b| b as u8)).collect()
}

/// An `Array[Byte]`.
fn put_array(cx: &mut dyn Context, bytes: &[u8]) -> Eval<Value> {
    cx.step(bytes.len() as u64)?;
    cx.grow(bytes.len())?;
    let items = bytes.iter().map(|b| Value::Byte(*b as i8)).collect();
    Ok(object(Object::Array(Mutex::new(items))))
}

fn charset(value: &Value) -> Eval<Charset> {
    other::<CharsetObject>(value, "Charset").map(|c| c.0)
}

fn put_charset(charset: Charset) -> Value {
    object(Object::Other(Box::new(CharsetObject(charset))))
}

fn named(name: &JStr) -> Eval<Charset> {
    Charset::named(&name.to_utf8(), "UnsupportedEncodingException")
}

/// The charset of the URL coders, of which only UTF-8 is covered.
fn utf8_only(charset: Charset) -> Eval<()> {
    match charset {
        Charset::Utf8 => Ok(()),
        other => Err(Throw::Unsupported(format!(
            "URL coding in {} is not covered",
            other.name()
        ))),
    }
}

statics!(
    /// `StandardCharsets`.
    CHARSETS, "static StandardCharsets", "StandardCharsets", cx;
    one "US_ASCII"() -> ("Charset") = put_charset(Charset::Ascii);
    one "ISO_8859_1"() -> ("Charset") = put_charset(Charset::Latin1);
    one "UTF_8"() -> ("Charset") = put_charset(Charset::Utf8);
    one "UTF_16"() -> ("Charset") = put_charset(Charset::Utf16);
    one "UTF_16BE"() -> ("Charset") = put_charset(Charset::Utf16Be);
    one "UTF_16LE"() -> ("Charset") = put_charset(Charset::Utf16Le);
);

statics!(
    /// `Charset`.
    CHARSET, "static Charset", "Charset", cx;
    one "forName"(name: String) -> ("Charset") throws "IllegalCharsetNameException" =
        put_charset(Charset::named(&name.to_utf8(), "UnsupportedCharsetException")?);
);

methods!(
    /// Methods of `Charset`.
    CHARSET_METHODS, "Charset", x: ("Charset"), cx;
    one "name"() -> String = JStr::new(charset(x)?.name());
    one "toString"() -> String = JStr::new(charset(x)?.name());
);

methods!(
    /// `String.getBytes`.
    STRING, "String", x: String, cx;
    over "getBytes"() -> ("Array[Byte]") = put_array(cx, &Charset::Utf8.encode(x))?;
    over "getBytes"(name: String) -> ("Array[Byte]") throws "UnsupportedEncodingException" = put_array(cx, &named(name)?.encode(x))?;
    over "getBytes"(c: ("Charset")) -> ("Array[Byte]") = put_array(cx, &charset(c)?.encode(x))?;
);

statics!(
    /// Constructors of `String` from bytes.
    NEW_STRING, "new String", "String", cx;
    over "String"(b: ("Array[Byte]")) -> String = Charset::Utf8.decode(&array(cx, b)?)?;
    over "String"(b: ("Array[Byte]"), name: String) -> String throws "UnsupportedEncodingException" = named(name)?.decode(&array(cx, b)?)?;
    over "String"(b: ("Array[Byte]"), c: ("Charset")) -> String = charset(c)?.decode(&array(cx, b)?)?;
);

statics!(
    /// `MessageDigest`.
    DIGEST, "static MessageDigest", "MessageDigest", cx;
    one "getInstance"(name: String) -> ("MessageDigest") throws "NoSuchAlgorithmException" =
        object(Object::Other(Box::new(MessageDigest(Hash::named(&name.to_utf8())?, Mutex::default()))));
);

fn digest(cx: &mut dyn Context, x: &Value, more: &[u8]) -> Eval<Value> {
    let MessageDigest(hash, pending) = other::<MessageDigest>(x, "MessageDigest")?;
    let mut bytes = std::mem::take(&mut *lock(pending));
    bytes.extend_from_slice(more);
    put_array(cx, &hash.digest(&bytes))
}

fn extend(cx: &mut dyn Context, pending: &Mutex<Vec<u8>>, bytes: &[u8]) -> Eval<()> {
    cx.grow(bytes.len())?;
    lock(pending).extend_from_slice(bytes);
    Ok(())
}

methods!(
    /// Methods of `MessageDigest`.
    DIGEST_METHODS, "MessageDigest", x: ("MessageDigest"), cx;
    over "digest"() -> ("Array[Byte]") = digest(cx, x, &[])?;
    over "digest"(b: ("Array[Byte]")) -> ("Array[Byte]") = {
        let bytes = array(cx, b)?;
        digest(cx, x, &bytes)?
    };
    over "update"(b: ("Array[Byte]")) -> Unit = {
        let bytes = array(cx, b)?;
        extend(cx, &other::<MessageDigest>(x, "MessageDigest")?.1, &bytes)?
    };
    over "update"(b: Byte) -> Unit = extend(cx, &other::<MessageDigest>(x, "MessageDigest")?.1, &[b as u8])?;
    one "reset"() -> Unit = lock(&other::<MessageDigest>(x, "MessageDigest")?.1).clear();
);

statics!(
    /// `java.util.Base64`.
    BASE64, "static Base64", "Base64", cx;
    one "getEncoder"() -> Encoder = Encoder(Base64 { url: false, padding: true });
    one "getUrlEncoder"() -> Encoder = Encoder(Base64 { url: true, padding: true });
    one "getDecoder"() -> Decoder = Decoder(Base64 { url: false, padding: true });
    one "getUrlDecoder"() -> Decoder = Decoder(Base64 { url: true, padding: true });
);

methods!(
    /// Methods of `Base64.Encoder`.
    ENCODER, "Encoder", x: Encoder, cx;
    one "encodeToString"(b: ("Array[Byte]")) -> String = JStr::new(&x.0.encode(&array(cx, b)?));
    one "encode"(b: ("Array[Byte]")) -> ("Array[Byte]") = {
        let bytes = array(cx, b)?;
        put_array(cx, x.0.encode(&bytes).as_bytes())?
    };
    one "withoutPadding"() -> Encoder = Encoder(Base64 { padding: false, ..x.0 });
);

methods!(
    /// Methods of `Base64.Decoder`.
    DECODER, "Decoder", x: Decoder, cx;
    over "decode"(s: String) -> ("Array[Byte]") throws "IllegalArgumentException" =
        put_array(cx, &x.0.decode(&Charset::Latin1.encode(s))?)?;
    over "decode"(b: ("Array[Byte]")) -> ("Array[Byte]") throws "IllegalArgumentException" = {
        let bytes = array(cx, b)?;
        put_array(cx, &x.0.decode(&bytes)?)?
    };
);

statics!(
    /// `URLEncoder`.
    URL_ENCODER, "static URLEncoder", "URLEncoder", cx;
    over "encode"(s: String, name: String) -> String throws "UnsupportedEncodingException" = {
        utf8_only(named(name)?)?;
        JStr::new(&bytes::url_encode(s))
    };
    over "encode"(s: String, c: ("Charset")) -> String = {
        utf8_only(charset(c)?)?;
        JStr::new(&bytes::url_encode(s))
    };
);

statics!(
    /// `URLDecoder`.
    URL_DECODER, "static URLDecoder", "URLDecoder", cx;
    over "decode"(s: String, name: String) -> String throws "UnsupportedEncodingException" "IllegalArgumentException" = {
        utf8_only(named(name)?)?;
        bytes::url_decode(s)?
    };
    over "decode"(s: String, c: ("Charset")) -> String throws "IllegalArgumentException" = {
        utf8_only(charset(c)?)?;
        bytes::url_decode(s)?
    };
);

statics!(
    /// Constructor of `CRC32`.
    NEW_CRC32, "new CRC32", "CRC32", cx;
    one "CRC32"() -> ("CRC32") = object(Object::Other(Box::new(Crc32(Mutex::default()))));
);

methods!(
    /// Methods of `CRC32`.
    CRC32_METHODS, "CRC32", x: ("CRC32"), cx;
    one "update"(b: ("Array[Byte]")) -> Unit = {
        let bytes = array(cx, b)?;
        extend(cx, &other::<Crc32>(x, "CRC32")?.0, &bytes)?
    };
    one "getValue"() -> Long = bytes::crc32(&lock(&other::<Crc32>(x, "CRC32")?.0));
    one "reset"() -> Unit = lock(&other::<Crc32>(x, "CRC32")?.0).clear();
);

/// `UUID.fromString`: five hexadecimal parts, each cut to its width.
fn parse_uuid(text: &JStr) -> Eval<UUID> {
    let text = text.to_utf8();
    let illegal = |message: String| Throw::exception("IllegalArgumentException", message);
    if text.encode_utf16().count() > 36 {
        return Err(illegal("UUID string too large".into()));
    }
    let parts: Vec<&str> = text.split('-').collect();
    let [a, b, c, d, e] = parts[..] else {
        return Err(illegal(format!("Invalid UUID string: {text}")));
    };
    let mut bits: u128 = 0;
    for (part, width) in [(a, 32), (b, 16), (c, 16), (d, 16), (e, 48)] {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_hexdigit()) || part.trim_start_matches('0').len() > 15 {
            return Err(Throw::exception(
                "NumberFormatException",
                format!("For input string: \"{part}\""),
            ));
        }
        let value = u128::from_str_radix(part, 16).unwrap_or_default();
        bits = bits << width | value & ((1 << width) - 1);
    }
    Ok(UUID(bits.to_be_bytes()))
}

fn half(uuid: &UUID, upper: bool) -> i64 {
    let bits = u128::from_be_bytes(uuid.0);
    (if upper { bits >> 64 } else { bits }) as i64
}

statics!(
    /// `UUID`, as far as nothing is random.
    UUIDS, "static UUID", "UUID", cx;
    one "nameUUIDFromBytes"(b: ("Array[Byte]")) -> ("UUID") = UUID(bytes::name_uuid(&array(cx, b)?)).put();
    one "fromString"(s: String) -> ("UUID") throws "IllegalArgumentException" "NumberFormatException" = parse_uuid(s)?.put();
);

methods!(
    /// Methods of `UUID`.
    UUID_METHODS, "UUID", x: UUID, cx;
    one "toString"() -> String = JStr::new(&bytes::uuid_text(&x.0));
    one "getMostSignificantBits"() -> Long = half(&x, true);
    one "getLeastSignificantBits"() -> Long = half(&x, false);
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{call_row, check_row, vectors};

    /// What `Base64.getDecoder` of JDK 17 makes of a text; `None` where it throws.
    const BASE64_CASES: &[(&str, Option<&[u8]>)] = &[
        ("", Some(&[])),
        ("YQ==", Some(&[97])),
        ("YQ=", None),
        ("YQ", Some(&[97])),
        ("Y", None),
        ("YWI=", Some(&[97, 98])),
        ("YWI", Some(&[97, 98])),
        ("YWJj", Some(&[97, 98, 99])),
        ("YR==", Some(&[97])),
        ("YW==Jj", None),
        ("YQ===", None),
        ("=", None),
        ("====", None),
        ("Y Q=", None),
        ("YQ==\n", None),
        ("YW-_", None),
        ("YWJjZ", None),
        ("YWJjZA==", Some(&[97, 98, 99, 100])),
        ("YQ==YQ==", None),
    ];

    fn text(s: &str) -> Value {
        Value::Str(JStr::new(s))
    }

    fn bytes_of(value: &Value) -> Vec<u8> {
        array(&mut crate::test_vectors::NoCalls, value).expect("an Array[Byte]")
    }

    #[test]
    fn url_coding_follows_the_vectors() {
        check_row("url_encode", "URLEncoder.encode(String,String)", "s", &[text("UTF-8")]);
        check_row("url_decode", "URLDecoder.decode(String,String)", "s", &[text("UTF-8")]);
    }

    /// Rows of a file whose function takes the bytes of a string in some charset.
    fn of_bytes(file: &str, charset: &str, f: impl Fn(Value) -> String) {
        for row in vectors(file).rows() {
            let Some(units) = row.units("a") else { continue };
            let bytes = call_row(
                "String.getBytes(String)",
                &[Value::Str(JStr::from_units(&units)), text(charset)],
            );
            assert_eq!(f(bytes.expect("bytes")), row.raw("jvm_result"), "{row:?}");
        }
    }

    #[test]
    fn bytes_follow_the_vectors() {
        let hex = |value: &Value| bytes_of(value).iter().map(|b| format!("{b:02x}")).collect::<String>();
        of_bytes("str_bytes_latin1", "ISO-8859-1", |bytes| hex(&bytes));
        of_bytes("str_md5", "UTF-8", |bytes| {
            let digest = call_row("MessageDigest.getInstance", &[text("MD5")]).expect("known");
            hex(&call_row("MessageDigest.digest(Array[Byte])", &[digest, bytes]).expect("bytes"))
        });
        of_bytes("str_base64", "UTF-8", |bytes| {
            let encoder = call_row("Base64.getEncoder", &[]).expect("an encoder");
            let encoded = call_row("Encoder.encodeToString", &[encoder, bytes.clone()]).expect("text");
            let decoder = call_row("Base64.getDecoder", &[]).expect("a decoder");
            let decoded = call_row("Decoder.decode(String)", &[decoder, encoded.clone()]).expect("bytes");
            assert_eq!(bytes_of(&decoded), bytes_of(&bytes));
            crate::test_vectors::shown(&encoded)
        });
    }

    /// Outcomes of JDK 17.
    #[test]
    fn base64_and_uuids_are_those_of_the_jdk() {
        let decode = |s: &str| {
            let decoder = call_row("Base64.getDecoder", &[]).expect("a decoder");
            call_row("Decoder.decode(String)", &[decoder, text(s)]).map(|v| bytes_of(&v))
        };
        for (input, expected) in BASE64_CASES {
            match expected {
                Some(bytes) => assert_eq!(decode(input).as_deref(), Ok(*bytes), "{input}"),
                None => assert_eq!(decode(input), Err("IllegalArgumentException".to_string()), "{input}"),
            }
        }
        let bytes = call_row("String.getBytes(String)", &[text("abc"), text("UTF-8")]).expect("bytes");
        let uuid = call_row("UUID.nameUUIDFromBytes", &[bytes]).expect("a UUID");
        let shown = call_row("UUID.toString", &[uuid]).expect("text");
        assert_eq!(
            crate::test_vectors::shown(&shown),
            "90015098-3cd2-3fb0-9696-3f7d28e17f72"
        );
    }
}
