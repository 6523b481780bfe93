/**
 * TEST_UNTIL, in milliseconds since 1970: a suite that comes to its turn later is left out, and the end of the run names
 * it. For a check that is ended from outside after some time, and would then have said nothing.
 */
// An empty one is none: every test would be left out.
if (Date.now() > Number(process.env.TEST_UNTIL || Number.POSITIVE_INFINITY)) {
  const { skip, todo } = test;
  const late = Object.assign((...args: Parameters<typeof skip>) => skip(...args), {
    ...{ skip, todo, only: skip, failing: skip, concurrent: skip, each: skip.each },
  });
  Object.assign(globalThis, { test: late, it: late });
}
