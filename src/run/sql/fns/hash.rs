//! Checksums and hashes: `md5`, `sha1`, `sha2`, `crc32`, Spark's Murmur3 `hash` and `xxhash64`.

use md5::Digest;
use num_bigint::BigInt;

use super::super::plan::{Call, Def, Node, Nulls, RowResult};
use super::super::resolve::lacks;
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("md5", "x -> s", |_, a| Ok(hex(&md5::Md5::digest(a[0].bytes())))),
    strict("sha1", "x -> s", |_, a| Ok(hex(&sha1(a[0].bytes())))),
    strict("sha2", "x i -> s", sha2_of),
    strict("crc32", "x -> l", |_, a| Ok(Val::I64(i64::from(crc32(a[0].bytes()))))),
    own(
        "hash",
        Nulls::Sees,
        |a, _| hash_sig(a, Ty::I32),
        |c, a| {
            Ok(Val::I32(
                c.args.iter().zip(a).fold(42, |seed, (t, v)| murmur(t, v, seed)) as i32,
            ))
        },
    ),
    own(
        "xxhash64",
        Nulls::Sees,
        |a, _| hash_sig(a, Ty::I64),
        |c, a| {
            Ok(Val::I64(
                c.args.iter().zip(a).fold(42, |seed, (t, v)| xx(t, v, seed)) as i64
            ))
        },
    ),
];

fn hash_sig(args: &mut [Node], ret: Ty) -> Result<Ty, String> {
    if args.is_empty() {
        return Err("takes at least one argument".into());
    }
    for a in args.iter() {
        if a.ty.has_map() {
            return Err(format!("values of {} have no hash", a.ty));
        }
        if a.ty.is_interval() {
            return Err(lacks("the hash of an interval is not covered by the cpu engine"));
        }
    }
    Ok(ret)
}

fn hex<'a>(bytes: &[u8]) -> Val<'a> {
    Val::text(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>())
}

fn sha2_of<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let b = a[0].bytes();
    Ok(match a[1].int() {
        224 => hex(&sha2::Sha224::digest(b)),
        256 | 0 => hex(&sha2::Sha256::digest(b)),
        384 => hex(&sha2::Sha384::digest(b)),
        512 => hex(&sha2::Sha512::digest(b)),
        _ => Val::Null,
    })
}

fn sha1(input: &[u8]) -> [u8; 20] {
    let mut h: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut data = input.to_vec();
    data.push(0x80);
    while data.len() % 64 != 56 {
        data.push(0);
    }
    data.extend_from_slice(&(input.len() as u64 * 8).to_be_bytes());
    for block in data.chunks(64) {
        let mut w = [0u32; 80];
        for (i, word) in block.chunks(4).enumerate() {
            w[i] = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6u32),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(f)
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (x, y) in h.iter_mut().zip([a, b, c, d, e]) {
            *x = x.wrapping_add(y);
        }
    }
    let mut out = [0; 20];
    for (o, x) in out.chunks_mut(4).zip(h) {
        o.copy_from_slice(&x.to_be_bytes());
    }
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for b in bytes {
        crc ^= u32::from(*b);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// How a value enters a hash.
enum Piece<'v> {
    Int(i32),
    Long(i64),
    Bytes(std::borrow::Cow<'v, [u8]>),
    Skip,
}

fn piece<'v>(t: &Ty, v: &'v Val) -> Piece<'v> {
    match v {
        Val::Null => Piece::Skip,
        Val::Bool(b) => Piece::Int(i32::from(*b)),
        Val::I8(_) | Val::I16(_) | Val::I32(_) | Val::Date(_) => Piece::Int(v.int()),
        Val::F32(x) => Piece::Int(if x.is_nan() {
            0x7fc0_0000
        } else {
            (*x + 0.0).to_bits() as i32
        }),
        Val::F64(x) => Piece::Long(if x.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            (*x + 0.0).to_bits() as i64
        }),
        Val::Dec(d) => match t {
            Ty::Dec(p, _) if *p <= 18 => Piece::Long(*d as i64),
            _ => Piece::Bytes(BigInt::from(*d).to_signed_bytes_be().into()),
        },
        Val::Str(_) | Val::Bin(_) => Piece::Bytes(v.bytes().into()),
        _ => Piece::Long(v.long()),
    }
}

/// The types and values inside a nested value, in hashing order.
fn inner<'v, 'a>(t: &'v Ty, v: &'v Val<'a>) -> Option<Vec<(&'v Ty, &'v Val<'a>)>> {
    match (t, v) {
        (Ty::Arr(e), Val::Arr(items)) => Some(items.iter().map(|x| (&**e, x)).collect()),
        (Ty::Struct(fs), Val::Struct(items)) => Some(fs.iter().map(|(_, t)| t).zip(items).collect()),
        _ => None,
    }
}

fn mix_k1(k: u32) -> u32 {
    k.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

fn mix_h1(h: u32, k: u32) -> u32 {
    (h ^ k).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish_32(mut h: u32, len: u32) -> u32 {
    h ^= len;
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    h ^ h >> 16
}

/// Spark's Murmur3: trailing bytes are mixed one by one, as signed integers.
fn murmur(t: &Ty, v: &Val, seed: u32) -> u32 {
    if let Some(parts) = inner(t, v) {
        return parts.into_iter().fold(seed, |s, (t, v)| murmur(t, v, s));
    }
    match piece(t, v) {
        Piece::Skip => seed,
        Piece::Int(n) => finish_32(mix_h1(seed, mix_k1(n as u32)), 4),
        Piece::Long(n) => {
            let h = mix_h1(seed, mix_k1(n as u32));
            finish_32(mix_h1(h, mix_k1((n as u64 >> 32) as u32)), 8)
        }
        Piece::Bytes(b) => {
            let words = b.chunks_exact(4);
            let tail = words.remainder();
            let h = words.fold(seed, |h, w| {
                mix_h1(h, mix_k1(u32::from_le_bytes([w[0], w[1], w[2], w[3]])))
            });
            let h = tail.iter().fold(h, |h, x| mix_h1(h, mix_k1(*x as i8 as i32 as u32)));
            finish_32(h, b.len() as u32)
        }
    }
}

const P1: u64 = 0x9e37_79b1_85eb_ca87;
const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P3: u64 = 0x1656_67b1_9e37_79f9;
const P4: u64 = 0x85eb_ca77_c2b2_ae63;
const P5: u64 = 0x27d4_eb2f_1656_67c5;

fn finish_64(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(P2);
    h ^= h >> 29;
    h = h.wrapping_mul(P3);
    h ^ h >> 32
}

fn eat_long(h: u64, n: u64) -> u64 {
    let k = n.wrapping_mul(P2).rotate_left(31).wrapping_mul(P1);
    (h ^ k).rotate_left(27).wrapping_mul(P1).wrapping_add(P4)
}

fn eat_int(h: u64, n: u32) -> u64 {
    (h ^ u64::from(n).wrapping_mul(P1))
        .rotate_left(23)
        .wrapping_mul(P2)
        .wrapping_add(P3)
}

fn xx(t: &Ty, v: &Val, seed: u64) -> u64 {
    if let Some(parts) = inner(t, v) {
        return parts.into_iter().fold(seed, |s, (t, v)| xx(t, v, s));
    }
    match piece(t, v) {
        Piece::Skip => seed,
        Piece::Int(n) => finish_64(eat_int(seed.wrapping_add(P5).wrapping_add(4), n as u32)),
        Piece::Long(n) => finish_64(eat_long(seed.wrapping_add(P5).wrapping_add(8), n as u64)),
        Piece::Bytes(b) => xx_bytes(&b, seed),
    }
}

fn long_at(b: &[u8]) -> u64 {
    let mut w = [0; 8];
    w.copy_from_slice(&b[..8]);
    u64::from_le_bytes(w)
}

fn xx_bytes(b: &[u8], seed: u64) -> u64 {
    let mut rest = b;
    let mut h = if b.len() >= 32 {
        let mut v = [
            seed.wrapping_add(P1).wrapping_add(P2),
            seed.wrapping_add(P2),
            seed,
            seed.wrapping_sub(P1),
        ];
        while rest.len() >= 32 {
            for (i, lane) in v.iter_mut().enumerate() {
                let n = long_at(&rest[8 * i..]);
                *lane = lane.wrapping_add(n.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1);
            }
            rest = &rest[32..];
        }
        let mut h = v[0]
            .rotate_left(1)
            .wrapping_add(v[1].rotate_left(7))
            .wrapping_add(v[2].rotate_left(12))
            .wrapping_add(v[3].rotate_left(18));
        for lane in v {
            let k = lane.wrapping_mul(P2).rotate_left(31).wrapping_mul(P1);
            h = (h ^ k).wrapping_mul(P1).wrapping_add(P4);
        }
        h
    } else {
        seed.wrapping_add(P5)
    };
    h = h.wrapping_add(b.len() as u64);
    while rest.len() >= 8 {
        h = eat_long(h, long_at(rest));
        rest = &rest[8..];
    }
    if rest.len() >= 4 {
        h = eat_int(h, u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]));
        rest = &rest[4..];
    }
    for x in rest {
        h = (h ^ u64::from(*x).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
    finish_64(h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_known_texts() {
        assert_eq!(hex(&sha1(b"abc")).str(), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(murmur(&Ty::Str, &Val::text("Spark"), 42) as i32, 228_093_765);
        assert_eq!(xx(&Ty::Str, &Val::text("Spark"), 42) as i64, -4_294_468_057_691_064_905);
    }
}
