// The types of the subpath prepress-content/eleventy, which become its declarations. They name nothing else of this
// project or of Eleventy; the plugin itself is held to them by its own type.

export type PrepressOptions = {
  /** Settings that win over environment and settings file; an unknown name is refused. */
  readonly settings?: { readonly [setting: string]: unknown };
  /** Path of the settings file (default: prepress.config.json, which may be absent). */
  readonly configFile?: string;
  /**
   * Eleventy's own output folder is only a staging place: what is rendered goes to the setting `output`,
   * and pages that are gone are removed there. Without it the pages stay where Eleventy writes them, and
   * the content interface is written beside them, unless `settings.output` names another folder.
   */
  readonly placesPages?: boolean;
  /**
   * The folder in which `content/` is, of a site that is published elsewhere: what changed there is read, and nothing is built
   * here. The other options then mean nothing.
   */
  readonly from?: string;
  /** Of a companion server at `from` that asks for one. */
  readonly contentKey?: string;
};

/** `eleventyConfig.addPlugin(prepress, options)`; templates then have `publication`. */
declare const prepress: (eleventyConfig: object, options?: PrepressOptions) => void;
export default prepress;
