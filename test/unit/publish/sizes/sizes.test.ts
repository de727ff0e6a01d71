// Pictures that records show stand in their sizes: as the original at once, and as what is made of it later.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bringMedia } from '../../../../src/publish/cycle/media.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { describeSizes, placeAllSizes } from '../../../../src/publish/sizes/make-sizes.ts';
import { noteUpload } from '../../../../src/publish/sizes/update-sizes.ts';
import { verifySizes } from '../../../../src/publish/sizes/verify-sizes.ts';
import { SIZE_WORKER, skipSizes } from '../../../helpers/pictures.ts';
import { createSizesSite as createSite, LIVE, listFiles } from '../../../helpers/sizes-site.ts';

/** The head of one. */
const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1');

describe.skipIf(skipSizes)('sizes', () => {
  test('a picture of a body or feature has the widths, the icon its square, others none', async () => {
    const { insert, put, publish, make, shown } = await createSite();
    for (const name of [
      'body.png',
      'feature.png',
      'og.png',
      'icon.png',
      'author.png',
      'draft.png',
    ]) {
      await put(name, 400);
    }
    const at = (name: string): string => `__GHOST_URL__/content/images/${name}`;
    const post = insert('posts', {
      ...LIVE,
      html: `<img src="${at('body.png')}" srcset="${at('size/w50/body.png')} 50w">`,
      feature_image: at('feature.png'),
    });
    insert('posts_meta', { post_id: post, og_image: at('og.png') });
    insert('posts', { html: `<img src="${at('draft.png')}">` });
    insert('settings', { key: 'icon', value: at('icon.png') });
    await publish();
    const originals = {
      'w100/body.png': 400,
      'w100/feature.png': 400,
      'w256h256/icon.png': 400,
      'w300/body.png': 400,
      'w300/feature.png': 400,
      'w50/body.png': 400,
    };
    expect(await shown()).toEqual(originals);
    expect(await make()).toMatchObject({ pictures: 3, placed: 6 });
    expect(await shown()).toEqual({
      'w100/body.png': 100,
      'w100/feature.png': 100,
      'w256h256/icon.png': 256,
      'w300/body.png': 300,
      'w300/feature.png': 300,
      'w50/body.png': 50,
    });
    expect(await make()).toMatchObject({ pictures: 0, placed: 0 });
  });

  test('a picture whose name has an apostrophe, or another normal form than its text, has its sizes', async () => {
    const { insert, put, publish, make, shown } = await createSite();
    const [composed, decomposed] = ['é.jpg'.normalize('NFC'), 'é.jpg'.normalize('NFD')];
    await put("it's.jpg", 200);
    await put(decomposed, 200);
    const names = ["it's.jpg", encodeURIComponent(composed), encodeURIComponent(decomposed)];
    insert('posts', {
      ...LIVE,
      html: names.map((name) => `<img src="/content/images/${name}">`).join(''),
    });
    await publish();
    await make();
    const shownNames = [composed, decomposed, "it's.jpg"];
    const expected = shownNames.flatMap((name) => [
      [`w100/${name}`, 100],
      [`w300/${name}`, 200],
    ]);
    expect(await shown()).toEqual(Object.fromEntries(expected));
  });

  test('progress counts up to how many pictures waited at its start', async () => {
    const { insert, put, publish, make } = await createSite();
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await put(name, 200);
    insert('posts', {
      ...LIVE,
      html: '/content/images/a.jpg /content/images/b.jpg /content/images/c.jpg',
    });
    await publish();
    const seen: string[] = [];
    await make(SIZE_WORKER, { onProgress: ({ done, total }) => seen.push(`${done}/${total}`) });
    expect(seen).toEqual(['0/3', '1/3', '2/3']);
  });

  test('a rebuild encodes nothing, also of the same picture under another name', async () => {
    const { insert, shell, put, publish, make, shown, encoded, output, media } = await createSite();
    await put('a.jpg', 400);
    insert('posts', { ...LIVE, html: '<img src="/content/images/a.jpg">' });
    await publish();
    await make();
    const made = encoded();
    const before = await shown();
    rmSync(output, { recursive: true });
    await publish();
    expect(await shown()).toEqual(before);
    writeFileSync(join(media, 'images/b.jpg'), readFileSync(join(media, 'images/a.jpg')));
    shell.exec(`UPDATE posts SET html = '<img src="/content/images/b.jpg">'`);
    await publish();
    expect(await make()).toMatchObject({ pictures: 1 });
    expect(encoded()).toEqual(made);
    expect(await shown()).toEqual({ 'w100/b.jpg': 100, 'w300/b.jpg': 300 });
  });

  test('a picture that was replaced has its new sizes', async () => {
    const { insert, put, publish, make, shown, media } = await createSite();
    await put('a.jpg', 400);
    insert('posts', { ...LIVE, html: '<img src="/content/images/a.jpg">' });
    await publish();
    await make();
    rmSync(join(media, 'images/a.jpg'));
    await put('a.jpg', 200);
    await publish();
    expect(await shown()).toEqual({ 'w100/a.jpg': 200, 'w300/a.jpg': 200 });
    await make();
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 200 });
  });

  test('a picture that an import brings after its record has its addresses', async () => {
    const { insert, deps, put, publish, shown } = await createSite();
    await put('other.jpg', 400);
    insert('posts', { ...LIVE, html: '<img src="/content/images/a.jpg">' });
    await publish();
    await put('a.jpg', 400);
    await bringMedia(deps.paths, async () => undefined);
    await placeAllSizes(deps);
    expect(await shown()).toEqual({ 'w100/a.jpg': 400, 'w300/a.jpg': 400 });
  });

  test('sizes that nothing asks for go, and what somebody else put there stays', async () => {
    const { insert, shell, put, deps, set, publish, make, shown, encoded, output, media } =
      await createSite();
    await put('a.jpg', 400);
    await put('size/w100/b.jpg', 7);
    await put('b.jpg', 400);
    insert('posts', { ...LIVE, html: '/content/images/a.jpg <img src="/content/images/b.jpg">' });
    await publish();
    await make();
    const fewer = set({ 'images.sizes': [300] });
    await publishOnce(fewer);
    expect(await shown()).toEqual({ 'w100/b.jpg': 7, 'w300/a.jpg': 300, 'w300/b.jpg': 300 });
    expect(encoded()).toHaveLength(2);
    mkdirSync(join(output, 'size/w300'), { recursive: true });
    writeFileSync(join(output, 'size/w300/c.txt'), 'of somebody');
    shell.exec("UPDATE posts SET status = 'draft'");
    await publishOnce(fewer);
    expect(listFiles(join(output, 'size'))).toEqual(['w100/b.jpg', 'w300/c.txt']);
    expect(encoded()).toEqual([]);
    expect(readdirSync(join(media, 'images/size'))).toEqual(['w100']);
    await publishOnce({ ...deps, config: { ...deps.config, 'images.sizes': [] } });
    expect(describeSizes(deps)).toMatchObject({ files: 0, waiting: 0 });
  });

  test('a size that is missing or another file is found, and mended by a full build', async () => {
    const { insert, put, deps, publish, make, shown, output } = await createSite();
    await put('a.jpg', 400);
    insert('posts', { ...LIVE, html: '<img src="/content/images/a.jpg">' });
    await publish();
    await make();
    expect(verifySizes(deps.paths)).toEqual([]);
    rmSync(join(output, 'size/w100/a.jpg'));
    rmSync(join(output, 'size/w300/a.jpg'));
    writeFileSync(join(output, 'size/w300/a.jpg'), 'cut');
    expect(verifySizes(deps.paths)).toEqual([
      { path: 'images/size/w100/a.jpg', reason: expect.stringContaining('missing') },
      { path: 'images/size/w300/a.jpg', reason: expect.stringContaining('something else') },
    ]);
    await publishOnce(deps, { isFull: true });
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 300 });
    expect(verifySizes(deps.paths)).toEqual([]);
  });

  test('an upload gets its sizes before a record shows it; a file that is no picture is named', async () => {
    const { insert, deps, put, publish, make, shown, media, output } = await createSite();
    await put('a.jpg', 400);
    await publish();
    expect(noteUpload(deps, 'images/a.jpg')).toBe(true);
    expect(noteUpload(deps, 'images/a.svg')).toBe(false);
    await make();
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 300 });
    const whole = readFileSync(join(media, 'images/a.jpg'));
    writeFileSync(join(media, 'images/cut.jpg'), whole.subarray(0, whole.length / 2));
    writeFileSync(join(media, 'images/plain'), whole);
    writeFileSync(join(media, 'images/phone.heic'), HEIC);
    const names = ['a.jpg', 'cut.jpg', 'plain', 'phone.heic'];
    insert('posts', { ...LIVE, html: names.map((name) => `/content/images/${name}`).join(' ') });
    await publish();
    await make();
    const { faults, waiting } = describeSizes(deps);
    expect(waiting).toBe(0);
    const sizes = 'all sizes';
    expect(faults).toEqual([
      { path: 'images/cut.jpg', reason: expect.stringContaining('premature end'), sizes },
      { path: 'images/phone.heic', reason: expect.stringContaining('cannot be resized'), sizes },
    ]);
    expect(statSync(join(output, 'size/w100/plain')).size).toBeLessThan(whole.length);
    expect(statSync(join(deps.paths.contentFolder, 'images/size/w100/cut.jpg')).size).toBe(
      Math.floor(whole.length / 2),
    );
  });
});
