// Tells texts that no message may show from names of files.

/** Whether a text holds a user and a password, as in a mistyped `mysql//me:password@host`. */
export const mayHoldLogin = (text: string): boolean =>
  !/^(?:[.\\]|\/(?!\/))/.test(text) &&
  /:[^\\/]/.test(text.slice(0, Math.max(0, text.lastIndexOf('@'))));
