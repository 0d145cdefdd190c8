//! Arrow types as Spark writes them. In: an Arrow type; out: DDL text, or nothing where Spark has no such type.

use arrow::datatypes::{DataType, TimeUnit};

use crate::compare::walk::type_name;

/// The type in Spark's DDL.
pub fn ddl(ty: &DataType) -> Option<String> {
    Some(match ty {
        DataType::Null
        | DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Float32
        | DataType::Float64
        | DataType::Utf8
        | DataType::Binary
        | DataType::Date32
        | DataType::Timestamp(TimeUnit::Microsecond, _)
        | DataType::Decimal128(..) => type_name(ty),
        DataType::List(item) => format!("array<{}>", ddl(item.data_type())?),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(kv) if kv.len() == 2 => {
                format!("map<{},{}>", ddl(kv[0].data_type())?, ddl(kv[1].data_type())?)
            }
            _ => return None,
        },
        DataType::Struct(fields) => {
            let field = |f: &arrow::datatypes::Field| {
                let name = f.name().replace('`', "``");
                Some(format!("`{name}`:{}", ddl(f.data_type())?))
            };
            let fields: Option<Vec<String>> = fields.iter().map(|f| field(f)).collect();
            format!("struct<{}>", fields?.join(","))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Field;

    #[test]
    fn nested_types() {
        let item = DataType::List(Field::new("item", DataType::Decimal128(10, 2), true).into());
        let outer = DataType::Struct(vec![Field::new("a b", item, true)].into());
        assert_eq!(ddl(&outer).as_deref(), Some("struct<`a b`:array<decimal(10,2)>>"));
        assert_eq!(ddl(&DataType::UInt8), None);
    }
}
