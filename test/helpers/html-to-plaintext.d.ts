// The one function of the untyped package that is used here.
declare module '@tryghost/html-to-plaintext' {
  export const excerpt: (html: string) => string;
}
