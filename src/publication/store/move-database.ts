// Carries a publication from one kind of database to another.

export { moveToPostgres, moveToSqlite } from './postgres/move.ts';
