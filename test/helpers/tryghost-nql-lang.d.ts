declare module '@tryghost/nql-lang' {
  type Options = { readonly preserveRelativeDates?: boolean };
  const nql: {
    /** The filter as a query of MongoDB's form; throws an Error for bad syntax. */
    readonly parse: (text: string, options?: Options) => unknown;
  };
  export default nql;
}
