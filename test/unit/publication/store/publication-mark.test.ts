import { expect, test } from 'vitest';
import { createPublication } from '../../../helpers/publication.ts';

test('a mark moves with the log, the triggers, content keys and the announced generation, and with nothing else', async () => {
  const { store, shell, insert } = await createPublication();
  const marks = [store.publicationMark()];
  const isMoved = (): boolean => {
    const mark = store.publicationMark();
    const isOther = marks.every((one) => JSON.stringify(one) !== JSON.stringify(mark));
    marks.push(mark);
    return isOther;
  };
  const post = insert('posts', {});
  expect(isMoved()).toBe(true);
  shell.exec("UPDATE action_scope SET action = 'a'; UPDATE action_scope SET action = NULL");
  expect(isMoved()).toBe(false);
  shell.exec('DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes)');
  expect(isMoved()).toBe(false);
  shell.prepare("UPDATE posts SET title = 'X' WHERE id = ?").run(post);
  expect(isMoved()).toBe(true);
  const addKey = (type: string): string =>
    insert('api_keys', {
      type,
      name: type,
      secret_sha256: type,
      secret_sealed: Buffer.of(1),
      created_at: 1,
    });
  const key = addKey('content');
  expect(isMoved()).toBe(true);
  shell.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').run(key);
  expect(isMoved()).toBe(true);
  addKey('admin');
  expect(isMoved()).toBe(false);
  shell.exec('DROP TRIGGER prepress_posts_i');
  expect(isMoved()).toBe(true);
  shell.exec(
    "INSERT INTO published_position (id, epoch, seq, generation, finished_at) VALUES (1, 'e', 1, 3, 0)",
  );
  expect(isMoved()).toBe(true);
  expect(store.publicationMark().generation).toBe(3);
  shell.exec('DROP TABLE changes');
  expect(isMoved()).toBe(true);
});
