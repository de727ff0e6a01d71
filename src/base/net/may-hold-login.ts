/** Whether a text holds a user and a password, as in a mistyped `mysql//me:password@host`: no message shows such a text. */
export const mayHoldLogin = (text: string): boolean => /^(?![./\\]).*:[^\\/].*@/.test(text);
