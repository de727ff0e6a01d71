// What the layouts of all pages for readers take out of a page's view.
export default {
  eleventyExcludeFromCollections: true,
  eleventyComputed: {
    head: ({ view, head }) => view?.head ?? head,
    kind: ({ view, kind }) => view?.kind ?? kind,
    here: ({ view }) => view?.href,
    codeHead: ({ view }) => view?.record?.codeinjection_head ?? view?.codeHead,
    codeFoot: ({ view }) => view?.record?.codeinjection_foot ?? view?.codeFoot,
  },
};
