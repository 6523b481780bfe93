/**
 * How often a test that fails is run again: 0, unless TEST_RETRIES says otherwise. A check on a machine that others
 * share sets it to 1; the first failure is printed, and the end of the run names the test.
 */
const RETRIES = Number(process.env.TEST_RETRIES ?? 0);

if (RETRIES > 0) jest.retryTimes(RETRIES, { logErrorsBeforeRetry: true });
