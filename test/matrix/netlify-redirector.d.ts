// Types of netlify-redirector, which brings none: only what the tests use.
declare module 'netlify-redirector' {
  type Rules = {
    readonly match: (request: object) => { readonly to: string; readonly status: number } | null;
  };
  const redirector: {
    readonly parsePlain: (rules: string, options: object) => Promise<Rules>;
  };
  export default redirector;
}
