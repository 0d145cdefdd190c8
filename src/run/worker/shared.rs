//! A batch that another process reads from where it stands. In: columns; out: a note of where they are, which whoever waits for them turns into an
//! Arrow stream again, with all cores. A file would be written and read by one core, two copies each, which takes longer than a
//! kernel and the original together.

use std::io;

use arrow::array::{Array, RecordBatch};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Schema};
use arrow::error::ArrowError;
use arrow::ipc::writer::{DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteOptions, write_message};
use arrow::ipc::{self, FieldNode, MessageBuilder, MessageHeader, MetadataVersion, RecordBatchBuilder};
use flatbuffers::FlatBufferBuilder;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Bytes from which on it is worth it.
const LARGE: usize = 4 << 20;
/// Where a column begins in the stream, as Arrow recommends it.
const ALIGNMENT: usize = 64;
/// Bytes that a core reads at a time.
const PIECE: usize = 2 << 20;
/// What a note begins with; no Arrow stream does.
const MARK: &[u8] = b"rewright columns in memory\n";
/// What the other process looks for, to see whether it may read here.
static PROBE: [u8; 16] = *b"rewright's probe";

/// Where a batch is. Its columns have to stay until they have been read.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// Whose memory it is.
    process: u32,
    /// The beginning of the stream: its schema, and where each column is in the body.
    head: Vec<u8>,
    /// Bytes of the body.
    bytes: usize,
    /// Place in the body, address and length of each buffer.
    buffers: Vec<(usize, u64, usize)>,
}

/// Where another process finds the probe in this one.
pub fn probe() -> u64 {
    PROBE.as_ptr() as u64
}

/// Whether the memory of a process can be read, which some containers forbid.
pub fn can_read(process: u32, probe: u64) -> bool {
    let mut found = [0; PROBE.len()];
    read_memory(process, probe, &mut found).is_ok() && found == PROBE
}

/// The note of a batch. Nothing for small ones, and for columns that are not flat or begin within a byte.
pub fn note(batch: &RecordBatch) -> Result<Option<Vec<u8>>, ArrowError> {
    let Some(layout) = Layout::of(batch).filter(|l| l.bytes >= LARGE) else {
        return Ok(None);
    };
    let there = layout.buffers.iter().filter_map(|(at, b)| {
        let b = b.as_ref()?;
        Some((*at, b.as_ptr() as u64, b.len()))
    });
    let note = Note {
        process: std::process::id(),
        head: head(batch.schema_ref(), batch.num_rows(), &layout)?,
        bytes: layout.bytes,
        buffers: there.collect(),
    };
    let mut out = MARK.to_vec();
    serde_json::to_writer(&mut out, &note).map_err(|e| ArrowError::IpcError(e.to_string()))?;
    Ok(Some(out))
}

/// The stream that a note tells of: its beginning, and its body. Nothing if it is no note.
pub fn stream(bytes: &[u8]) -> Option<io::Result<[Buffer; 2]>> {
    let note = serde_json::from_slice::<Note>(bytes.strip_prefix(MARK)?);
    Some(note.map_err(io::Error::other).and_then(|note| {
        let body = body(&note)?;
        Ok([Buffer::from_vec(note.head), body])
    }))
}

fn body(note: &Note) -> io::Result<Buffer> {
    let mut room = Room::new(note.bytes);
    let mut rest = room.bytes();
    let (mut at, mut pieces) = (0, Vec::new());
    for (place, address, length) in &note.buffers {
        let outside = || io::Error::other("a column that lies outside of its stream");
        let gap = place.checked_sub(at).ok_or_else(outside)?;
        let (_, from) = rest.split_at_mut_checked(gap).ok_or_else(outside)?;
        let (column, after) = from.split_at_mut_checked(*length).ok_or_else(outside)?;
        pieces.extend((*address..).step_by(PIECE).zip(column.chunks_mut(PIECE)));
        (rest, at) = (after, place + length);
    }
    pieces
        .into_par_iter()
        .try_for_each(|(address, into)| read_memory(note.process, address, into))?;
    Ok(room.into())
}

/// Memory for many bytes, all zero, which the system gives when it is first used: by the cores that fill it, and in large pages.
pub struct Room {
    numbers: Vec<i128>,
    size: usize,
}

impl Room {
    /// So many bytes.
    pub fn new(size: usize) -> Room {
        let mut numbers = vec![0_i128; size.div_ceil(size_of::<i128>())];
        large_pages(&mut numbers);
        Room { numbers, size }
    }

    /// The bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the numbers are at least as many bytes, and any bytes are numbers.
        unsafe { std::slice::from_raw_parts_mut(self.numbers.as_mut_ptr().cast(), self.size) }
    }
}

impl From<Room> for Buffer {
    fn from(room: Room) -> Buffer {
        Buffer::from_vec(room.numbers).slice_with_length(0, room.size)
    }
}

#[cfg(target_os = "linux")]
fn large_pages(numbers: &mut [i128]) {
    const PAGE: usize = 4096;
    let (start, size) = (numbers.as_mut_ptr() as usize, size_of_val(numbers));
    let from = start.next_multiple_of(PAGE);
    let length = (start + size).saturating_sub(from) / PAGE * PAGE;
    if length >= LARGE {
        // SAFETY: the pages lie inside of the memory; the call changes how they are had, not what is in them.
        unsafe { libc::madvise(from as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn large_pages(_: &mut [i128]) {}

/// Reads the memory of another process.
#[cfg(target_os = "linux")]
fn read_memory(process: u32, address: u64, into: &mut [u8]) -> io::Result<()> {
    let mut done = 0;
    while done < into.len() {
        let own = libc::iovec {
            iov_base: into[done..].as_mut_ptr().cast(),
            iov_len: into.len() - done,
        };
        let theirs = libc::iovec {
            iov_base: (address as usize + done) as *mut libc::c_void,
            iov_len: into.len() - done,
        };
        // SAFETY: what is written lies in `into`; an address that the other process has not is an error.
        match unsafe { libc::process_vm_readv(process as libc::pid_t, &own, 1, &theirs, 1, 0) } {
            n @ 1.. => done += n as usize,
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ => return Err(io::Error::last_os_error()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn read_memory(_: u32, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Where everything stands in the body of a stream.
struct Layout {
    nodes: Vec<FieldNode>,
    buffers: Vec<(usize, Option<Buffer>)>,
    bytes: usize,
}

impl Layout {
    fn of(batch: &RecordBatch) -> Option<Layout> {
        let mut layout = Layout {
            nodes: Vec::new(),
            buffers: Vec::new(),
            bytes: 0,
        };
        for column in batch.columns() {
            layout.column(column.as_ref())?;
        }
        Some(layout)
    }

    fn column(&mut self, column: &dyn Array) -> Option<()> {
        let t = column.data_type();
        let flat = t.is_primitive() || matches!(t, DataType::Boolean | DataType::Utf8 | DataType::Binary);
        let data = column.to_data();
        let nulls = data.nulls();
        if !flat || data.offset() != 0 || nulls.is_some_and(|n| n.offset() != 0) {
            return None;
        }
        self.nodes
            .push(FieldNode::new(data.len() as i64, data.null_count() as i64));
        self.buffer(nulls.map(|n| n.buffer().clone()));
        data.buffers().iter().for_each(|b| self.buffer(Some(b.clone())));
        Some(())
    }

    fn buffer(&mut self, buffer: Option<Buffer>) {
        let size = buffer.as_ref().map_or(0, Buffer::len);
        self.buffers.push((self.bytes, buffer));
        self.bytes += size.next_multiple_of(ALIGNMENT);
    }
}

/// What stands before the body: the schema, and where the columns are.
fn head(schema: &Schema, rows: usize, layout: &Layout) -> Result<Vec<u8>, ArrowError> {
    let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5)?;
    let mut tracker = DictionaryTracker::new(false);
    let schema = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(schema, &mut tracker, &options);
    let batch = EncodedData {
        ipc_message: batch_message(rows, layout),
        arrow_data: Vec::new(),
    };
    let mut head = Vec::new();
    write_message(&mut head, schema, &options)?;
    write_message(&mut head, batch, &options)?;
    Ok(head)
}

fn batch_message(rows: usize, layout: &Layout) -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let places: Vec<ipc::Buffer> = layout
        .buffers
        .iter()
        .map(|(at, buffer)| ipc::Buffer::new(*at as i64, buffer.as_ref().map_or(0, Buffer::len) as i64))
        .collect();
    let (nodes, places) = (fbb.create_vector(&layout.nodes), fbb.create_vector(&places));
    let mut batch = RecordBatchBuilder::new(&mut fbb);
    batch.add_length(rows as i64);
    batch.add_nodes(nodes);
    batch.add_buffers(places);
    let batch = batch.finish().as_union_value();
    let mut message = MessageBuilder::new(&mut fbb);
    message.add_version(MetadataVersion::V5);
    message.add_header_type(MessageHeader::RecordBatch);
    message.add_bodyLength(layout.bytes as i64);
    message.add_header(batch);
    let message = message.finish();
    fbb.finish(message, None);
    fbb.finished_data().to_vec()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, BooleanArray, Decimal128Array, Int64Array, StringArray, TimestampMicrosecondArray};

    use super::*;
    use crate::run::spark::columns;

    #[test]
    fn what_stands_in_memory_is_read_as_it_was() {
        let rows = 300_000_i64;
        let texts = (0..rows).map(|i| (i % 7 > 0).then(|| i.to_string()));
        let times = TimestampMicrosecondArray::from_iter_values(0..rows).with_timezone("UTC");
        let columns: [(&str, ArrayRef); 5] = [
            (
                "a",
                Arc::new(Int64Array::from_iter((0..rows).map(|i| (i % 3 > 0).then_some(i)))),
            ),
            (
                "b",
                Arc::new(Decimal128Array::from_iter_values((0..rows).map(i128::from))),
            ),
            (
                "c",
                Arc::new(BooleanArray::from_iter((0..rows).map(|i| Some(i % 2 == 0)))),
            ),
            ("d", Arc::new(StringArray::from_iter(texts))),
            ("e", Arc::new(times)),
        ];
        let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(n, c)| (n, c, true))).expect("a batch");
        let flat = batch.project(&[1, 4]).expect("columns of it");
        if !can_read(std::process::id(), probe()) {
            println!("processes cannot read each other's memory here: nothing to test");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path().join("columns");
        for batch in [batch, flat.slice(13, 250_000)] {
            std::fs::write(&at, note(&batch).expect("a note").expect("it is large")).expect("writes");
            assert_eq!(columns::take(&at).expect("reads"), batch);
            assert!(!at.exists());
        }
    }

    #[test]
    fn small_batches_and_bits_from_the_middle_are_left_to_a_file() {
        let long: ArrayRef = Arc::new(Int64Array::from_iter_values(0..1_000_000));
        let bits: ArrayRef = Arc::new(BooleanArray::from(vec![true; 50_000_000]));
        for column in [long.slice(0, 10), bits.slice(1, 40_000_000)] {
            let batch = RecordBatch::try_from_iter([("a", column)]).expect("a batch");
            assert!(note(&batch).expect("no error").is_none());
        }
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let note = Note {
            process: std::process::id(),
            head: Vec::new(),
            bytes: 64,
            buffers: vec![(0, 8, 64)],
        };
        let text = [MARK, &serde_json::to_vec(&note).expect("writes")].concat();
        assert!(stream(&text).expect("a note").is_err());
        assert!(stream(b"\xFF\xFF\xFF\xFF").is_none());
        assert!(!can_read(std::process::id(), 8));
    }
}
