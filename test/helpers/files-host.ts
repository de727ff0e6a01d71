// A host of plain files in memory, which has one state of a publication alone: blobs of earlier ones are gone.
import type { Fetch } from '../../src/content/client/types.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { Levels } from '../../src/publish/packed/boundaries.ts';
import { SMALL_LEVELS } from './memory-blobs.ts';
import { type OddPublication, packOdd } from './odd-records.ts';

type State = { readonly settings?: object; readonly levels?: Levels };

export const openFiles = () => {
  const url = 'https://files.example';
  let files = new Map<string, string | Buffer>();
  /** Files that were asked for since the last state was put. */
  const asked: string[] = [];
  const fetch: Fetch = async (address) => {
    const file = address.slice(`${url}/content/`.length);
    asked.push(file);
    const found = files.get(file);
    return new Response(found === undefined ? 'none' : new Uint8Array(Buffer.from(found)), {
      status: found === undefined ? 404 : 200,
    });
  };
  const put = (
    publication: OddPublication,
    { settings = {}, levels = SMALL_LEVELS }: State = {},
  ): void => {
    const { blobs, root } = packOdd(publication, { levels, max: 5 });
    files = new Map<string, string | Buffer>([
      ...[...blobs.all].map(([name, bytes]) => [blobFile(name), bytes] as const),
      [PACKED_ROOT_FILE, JSON.stringify(root)],
      ['settings/index.json', JSON.stringify({ settings, meta: {} })],
    ]);
    asked.length = 0;
  };
  const remove = (file: string): boolean => files.delete(file);
  /** Cuts every file short whose name fits. */
  const damage = (file: RegExp): void => {
    for (const [name, bytes] of files) if (file.test(name)) files.set(name, bytes.slice(0, 9));
  };
  return { url, asked, fetch, put, remove, damage };
};
