(create_table
  . (_) . (_)* (object_reference) @qualified
  (column_definitions)? @body) @definition.table

(create_view (object_reference) @qualified (create_query)? @body) @definition.table
(create_materialized_view (object_reference) @qualified (create_query)? @body) @definition.table

(create_function (object_reference) @qualified (function_body)? @body) @definition.procedure
(create_procedure (object_reference) @qualified (procedure_body)? @body) @definition.procedure
(create_trigger (keyword_trigger) . (object_reference) @qualified) @definition.procedure

(create_type (object_reference) @qualified) @definition.type
(create_schema (identifier) @name) @definition.module

(column_definition) @definition.field
