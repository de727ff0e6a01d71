// Which files name pages that go, or show what only those said: templates of a project may show a text without its address.

type Files = {
  readonly paths: ReadonlySet<string>;
  /** Pages that go. */
  readonly gone: ReadonlySet<string>;
  /** Pages that tell nothing of them but their titles, in links. */
  readonly standing: ReadonlySet<string>;
  readonly textOf: (path: string) => string;
};

export const findTelling = ({ paths, gone, standing, textOf }: Files): ReadonlySet<string> => {
  const addresses = [...gone].map((file) => `/${file.replace(/index\.html$/, '')}`);
  const isNamedIn = (text: string): boolean => addresses.some((address) => text.includes(address));
  const said = new Set([...gone].flatMap((path) => sayingsOf(textOf(path))));
  const naming: string[] = [];
  const saidBy = new Map<string, readonly string[]>();
  for (const path of paths) {
    if (standing.has(path) || gone.has(path) || NO_TEXT.test(path)) continue;
    const text = textOf(path);
    if (isNamedIn(text)) naming.push(path);
    else saidBy.set(path, rowsAmong(said, text));
  }
  const only = new Set([...saidBy.values()].flat());
  for (const path of standing) {
    if (only.size === 0) break;
    const text = gone.has(path) ? '' : textOf(path);
    // A neighbour has the title with its link.
    for (const row of isNamedIn(text) ? [] : rowsOf(text)) only.delete(row);
  }
  const telling = [...saidBy].filter(([, rows]) => rows.some((row) => only.has(row)));
  return new Set([...naming, ...telling.map(([path]) => path)]);
};

const rowsAmong = (rows: ReadonlySet<string>, text: string): string[] => {
  const found = new Set<string>();
  for (const row of rowsOf(text)) if (rows.has(row)) found.add(row);
  return [...found];
};

/** Files that hold no text. */
const NO_TEXT =
  /\.(?:avif|br|gif|gz|ico|jpe?g|m4a|mov|mp[34]|og[gv]|otf|pdf|png|ttf|wasm|wav|web[mp]|woff2?|zip)$/i;

/** So many words in a row are a text's own. */
const ROW = 4;

/** Scripts without spaces have a word for each character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** Of one word up to ROW, wherever they stand. A search index may be long, so they are made one by one. */
function* rowsOf(text: string): Generator<string> {
  const row: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    row.push(word);
    if (row.length > ROW) row.shift();
    for (let from = 0; from < row.length; from += 1) yield row.slice(from).join(' ');
  }
}

/** By what other files show a page without its address: its long rows, and what is shorter and stands alone, such as a title. */
const sayingsOf = (page: string): string[] => {
  const words = wordsOf(page);
  const long = words.slice(ROW - 1).map((_, at) => words.slice(at, at + ROW).join(' '));
  const short = page
    .split(/<[^<>]*>|["\n]/)
    .map((piece) => wordsOf(piece))
    .filter(({ length }) => length < ROW)
    .map((piece) => piece.join(' '))
    .filter((piece) => LETTERS.test(piece));
  return [...long, ...short];
};

/** Numbers are sizes more often than titles. */
const LETTERS = /\p{L}{3}/u;
