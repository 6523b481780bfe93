// @ts-check
const { default: Sequencer } = require('@jest/test-sequencer');
const { BROWSER, SLOW } = require('./rooms.cjs');

const inBrowser = new RegExp(BROWSER);
const slow = new RegExp(SLOW);

/**
 * What takes long comes first, so that all workers end together. Suites of browsers, which keep a processor
 * busy, take turns with those that mostly wait for processes and clocks.
 */
module.exports = class TakingTurns extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const ordered = /** @type {typeof tests} */ (super.sort(tests));
    /** @type {[browsers: typeof tests, waiting: typeof tests, rest: typeof tests]} */
    const rooms = [[], [], []];
    for (const test of ordered) rooms[roomOf(test)].push(test);
    const [browsers, waiting, rest] = rooms;
    const long = takingTurns(browsers, waiting);
    // Where there may not be time for all, what is left out is little: the few that take long.
    return process.env.TEST_UNTIL === undefined ? [...long, ...rest] : [...rest, ...long];
  }
};

/**
 * @param {import('@jest/test-result').Test} test
 * @returns {0 | 1 | 2}
 */
function roomOf({ path }) {
  const place = path.replaceAll('\\', '/');
  if (inBrowser.test(place)) return 0;
  return slow.test(place) ? 1 : 2;
}

/**
 * Both lists as one, in which neither comes to its end long before the other.
 * @template T
 * @param {T[]} one
 * @param {T[]} other
 * @returns {T[]}
 */
function takingTurns(one, other) {
  const share = (/** @type {T[]} */ list) =>
    list.map((item, index) => ({ item, at: (index + 0.5) / list.length }));
  return [...share(one), ...share(other)].sort((a, b) => a.at - b.at).map(({ item }) => item);
}
