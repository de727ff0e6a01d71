// The reader of Markdown that tests hold ours against has no types of its own.
declare module 'markdown-it' {
  export default class MarkdownIt {
    constructor(options: { readonly html: boolean });
    validateLink: (address: string) => boolean;
    render(markdown: string): string;
  }
}
