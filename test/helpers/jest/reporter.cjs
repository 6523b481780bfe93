// @ts-check
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** How many of the slowest suites are named. */
const SLOWEST = 10;

/**
 * What Jest's summary does not say: the slowest suites, how many assertions were checked, which tests passed
 * at the second try only, which suites were left out for lack of time (TEST_UNTIL), and one closing line for programs
 * that read it. FAILED_SUITES names a file for the paths
 * of the suites that failed, one on each line.
 * @implements {Pick<import('@jest/reporters').Reporter, 'onRunComplete'>}
 */
module.exports = class Closing {
  /**
   * @param {unknown} _contexts
   * @param {import('@jest/test-result').AggregatedResult} results
   */
  onRunComplete(_contexts, results) {
    const { testResults, numPassedTests, numFailedTests, numPendingTests } = results;
    if (testResults.length > 1) write(slowest(testResults));
    const assertions = sum(
      testResults.flatMap((suite) => suite.testResults.map(({ numPassingAsserts }) => numPassingAsserts)),
    );
    write(`Assertions: ${assertions}`);
    for (const line of retried(testResults)) write(line);
    for (const line of leftOut(testResults)) write(line);
    const list = process.env.FAILED_SUITES;
    if (list !== undefined) writeFileSync(list, failing(testResults).join('\n'));
    // A suite that cannot even be loaded has no test that could fail.
    const failed = numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    // After Jest's own summary, which comes last of all reports.
    process.once('exit', () => write(`${numPassedTests} passed, ${failed} failed${skipped}`));
  }
};

/** @param {import('@jest/test-result').TestResult[]} suites */
function slowest(suites) {
  const ordered = suites.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, SLOWEST);
  const lines = ordered.map(({ perfStats, testFilePath }) => {
    const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(6);
    return `${seconds} s  ${relative(process.cwd(), testFilePath)}`;
  });
  return ['', 'Slowest suites:', ...lines].join('\n');
}

/**
 * @param {import('@jest/test-result').TestResult[]} suites
 * @returns {string[]}
 */
const retried = (suites) =>
  suites.flatMap(({ testFilePath, testResults }) =>
    testResults
      .filter(({ invocations = 1, status }) => invocations > 1 && status === 'passed')
      .map(({ fullName }) => `PASSED AT A SECOND TRY: ${relative(process.cwd(), testFilePath)}: ${fullName}`),
  );

/**
 * @param {import('@jest/test-result').TestResult[]} suites
 * @returns {string[]}
 */
const leftOut = (suites) =>
  suites
    .filter(({ perfStats, skipped }) => skipped && perfStats.end > Number(process.env.TEST_UNTIL))
    .map(
      ({ testFilePath }) =>
        `NOT RUN, because there was no time left: ${relative(process.cwd(), testFilePath)}`,
    );

/** @param {import('@jest/test-result').TestResult[]} suites */
const failing = (suites) =>
  suites
    .filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError !== undefined)
    .map(({ testFilePath }) => relative(process.cwd(), testFilePath));

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** On the stream of Jest's own report: standard output belongs to --json. @param {string} text */
const write = (text) => process.stderr.write(`${text}\n`);
