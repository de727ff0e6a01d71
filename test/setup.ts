// Before each test file: with PREPRESS_SEED, fast-check tries the same values in every run, as `helpers/random.ts` does.
if (process.env.PREPRESS_SEED !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env.PREPRESS_SEED) });
}
