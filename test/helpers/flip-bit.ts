// Damage that SQLite does not notice: a bit turned in an index of a database file.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadDriver } from '../../src/base/sqlite/driver.ts';

/** Turns the last bit of `id` where `index` holds it, and returns what stands there then. */
export const flipBit = (path: string, index: string, id: string): string => {
  const database = new (loadDriver())(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(index);
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  database.close();
  const bytes = readFileSync(path);
  for (const page of pages as number[]) {
    const start = (page - 1) * pageBytes;
    const found = bytes.subarray(start, start + pageBytes).indexOf(id);
    if (found < 0) continue;
    const last = start + found + id.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    return bytes.toString('utf8', start + found, last + 1);
  }
  throw new Error(`${index} does not hold ${id}.`);
};
