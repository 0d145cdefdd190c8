//! Arrow types as Spark writes them. In: an Arrow type; out: DDL text, or nothing where Spark has no such type.

use arrow::datatypes::{DataType, TimeUnit};

/// The type in Spark's DDL.
pub fn ddl(ty: &DataType) -> Option<String> {
    Some(match ty {
        DataType::Null => "void".into(),
        DataType::Boolean => "boolean".into(),
        DataType::Int8 => "tinyint".into(),
        DataType::Int16 => "smallint".into(),
        DataType::Int32 => "int".into(),
        DataType::Int64 => "bigint".into(),
        DataType::Float32 => "float".into(),
        DataType::Float64 => "double".into(),
        DataType::Utf8 => "string".into(),
        DataType::Binary => "binary".into(),
        DataType::Date32 => "date".into(),
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => "timestamp".into(),
        DataType::Timestamp(TimeUnit::Microsecond, None) => "timestamp_ntz".into(),
        DataType::Decimal128(p, s) => format!("decimal({p},{s})"),
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
