// Names of tags or labels in one line of text, separated by commas. A name that holds a comma, or begins with a quotation
// mark, stands between quotation marks, where a doubled mark is one of the name.

export const NAMES_HINT = 'Separated by commas; put a name with a comma in "quotation marks".';

export const formatNames = (names: readonly string[]): string =>
  names
    .map((name) =>
      name.includes(',') || name.startsWith('"') ? `"${name.replaceAll('"', '""')}"` : name,
    )
    .join(', ');

/** As a save sends them; empty names are left out. A quotation that is not closed lasts to the end. */
export const parseNames = (text: string): { name: string }[] => {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isMark = sign === '"';
    if (isQuoted && isMark && text.charAt(at + 1) === '"') {
      name += sign;
      at += 1;
    } else if (isMark && (isQuoted || name.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (sign === ',' && !isQuoted) {
      names.push(name);
      name = '';
    } else {
      name += sign;
    }
  }
  return [...names, name]
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => ({ name: one }));
};
