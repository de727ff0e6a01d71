// Carries a publication from one kind of database to another.

export { type MoveReport, moveToPostgres, moveToSqlite } from './postgres/move.ts';
