declare module '@tryghost/string' {
  /** Ghost's own slug of a text: ASCII, lower case, dashes. */
  export const slugify: (text: string) => string;
}
