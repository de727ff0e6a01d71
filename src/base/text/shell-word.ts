// A path as a word of a command that a message shows for pasting: quoted where a shell would split or expand it.

export const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const PLAIN = /^[\w@%+=:,./-]+$/;
