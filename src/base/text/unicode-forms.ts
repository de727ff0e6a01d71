// A name in the normal forms of Unicode: people take them for one, file systems and hosts compare bytes.

/** As it is, composed and decomposed, each once. */
export const formsOf = (name: string): readonly string[] => [
  ...new Set([name, name.normalize('NFC'), name.normalize('NFD')]),
];
