-- Queries are answered where they are asked; none is counted any more.
DROP TABLE asked_queries;
