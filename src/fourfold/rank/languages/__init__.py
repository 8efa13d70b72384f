"""How developers phrase each intent, one table a language. Data only; `rank.phrases` reads them."""
