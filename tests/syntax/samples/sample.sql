-- Orders of the shop.
CREATE TABLE shop.orders (
    id BIGINT PRIMARY KEY,
    total NUMERIC NOT NULL
);

CREATE INDEX orders_total ON shop.orders (total);

CREATE OR REPLACE VIEW open_orders AS
SELECT * FROM shop.orders WHERE total > 0;

CREATE MATERIALIZED VIEW daily AS SELECT 1;

CREATE FUNCTION order_total(order_id BIGINT) RETURNS NUMERIC AS $$
BEGIN
    RETURN 1;
END;
$$ LANGUAGE plpgsql;

CREATE TYPE mood AS ENUM ('sad', 'ok');

CREATE TRIGGER touch BEFORE UPDATE ON orders
FOR EACH ROW EXECUTE FUNCTION order_total();

CREATE PROCEDURE close_all()
LANGUAGE SQL
AS $$
UPDATE orders SET total = 0;
$$;

INSERT INTO orders VALUES (1, 2);
