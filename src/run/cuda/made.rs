//! Rows that a test makes up, made by the GPU worker where the kernel will use them. In: a recipe and a number of rows; out: the batch that
//! the host would make, whose columns stay on the device for the next runs over it.

use std::time::Duration;

use arrow::array::RecordBatch;
use serde_json::json;

use super::making::Order;
use super::server::{Kind, Server, output};
use crate::error::{Error, Result};
use crate::inputs::{FIRST, Recipe, powers};
use crate::run::Cancel;
use crate::run::spark::columns;

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(60);
/// From so many rows on it is worth asking a device.
const MANY: usize = 1 << 20;

/// Makes rows up on the device of a number. Nothing where that would not be worth it, or where the device does not make a type.
pub(crate) fn make(recipe: &Recipe, rows: usize, device: u32, cancel: &Cancel) -> Result<Option<RecordBatch>> {
    if rows < MANY {
        return Ok(None);
    }
    let Some(columns_of) = recipe.on_device().filter(|c| !c.is_empty()) else {
        return Ok(None);
    };
    let first = recipe.batch(FIRST)?;
    let order = Order {
        columns: columns_of,
        seed: recipe.seed(),
        powers: powers(),
        rows,
    };
    let server = Server::of(Kind::Device(device));
    let request = |base: &std::path::Path| {
        let file = base.with_extension("columns");
        columns::write(&first, &file)?;
        Ok(json!({"op": "make", "columns": file, "order": order, "output": output(base)}))
    };
    let mut held = server.hold(cancel)?;
    let (batch, token) = held.call("making rows", LIMIT, cancel, request, |reply, base| {
        let token = reply["token"].as_u64();
        Ok((
            columns::take(&output(base))?,
            token.ok_or_else(|| Error::internal("rows without a token"))?,
        ))
    })?;
    if batch.num_rows() != rows {
        return Err(Error::internal(format!(
            "{} rows came back for {rows}",
            batch.num_rows()
        )));
    }
    held.has(token, &batch);
    Ok(Some(batch))
}
