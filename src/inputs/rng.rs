//! A small seeded generator (SplitMix64), so that a seed means the same rows on every machine and in every version.

/// The state.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform below `n`, which is not zero; the bias of the modulus does not matter here.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of several.
    pub fn choose<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }

    /// An integer whose size in bits is uniform up to `bits`, of either sign.
    pub fn log_int(&mut self, bits: u32) -> i64 {
        let width = self.below(u64::from(bits)) as u32;
        let magnitude = if width == 0 {
            0
        } else {
            (self.next() >> (64 - width)) as i64
        };
        if self.next() & 1 == 0 {
            magnitude
        } else {
            magnitude.wrapping_neg()
        }
    }
}
