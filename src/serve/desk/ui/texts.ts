// Texts of a record that are null while they are empty, as a form holds them, by the names of their columns.

type Texts<Name extends string> = { readonly [N in Name]: string };

export const textsOf = <Name extends string>(
  record: { readonly [N in Name]?: string | boolean | null | undefined },
  names: readonly Name[],
): Texts<Name> =>
  Object.fromEntries(names.map((name) => [name, String(record[name] ?? '')])) as Texts<Name>;

/** As a save sends it. Code stays as it was typed. */
export const toColumn = (name: string, text: string): string | null =>
  (name.startsWith('codeinjection') ? text : text.trim()) || null;
