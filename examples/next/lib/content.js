// Reads the content interface at build time: CONTENT_URL is a host of the output or the companion server, and CONTENT_KEY
// the key that the companion server asks for.
const url = (process.env.CONTENT_URL ?? 'http://127.0.0.1:4000').replace(/\/$/, '');
const key = process.env.CONTENT_KEY ?? '';

export const readAll = async (resource) => {
  const records = [];
  for (let page = 1; page !== null; ) {
    const { [resource]: found, meta } = await readPage(resource, page);
    records.push(...found);
    page = meta.pagination.next;
  }
  return records;
};

const readPage = async (resource, page) => {
  const answer = await fetch(`${url}/content/${resource}/?page=${page}&key=${key}`).catch(
    (cause) => {
      throw new Error(`No answer from ${url}: start Prepress there, or set CONTENT_URL.`, {
        cause,
      });
    },
  );
  if (answer.status === 401 || answer.status === 403) {
    throw new Error(
      `${answer.status} from ${url}: set CONTENT_KEY, which "npx prepress status --secrets" prints.`,
    );
  }
  if (!answer.ok) throw new Error(`${answer.status} from ${url}`);
  return answer.json();
};
