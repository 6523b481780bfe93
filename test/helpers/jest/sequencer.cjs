// @ts-check
const { default: Sequencer } = require('@jest/test-sequencer');
const { SLOW } = require('./rooms.cjs');

const LONG = new RegExp(SLOW);

/**
 * A new clone has no times of its last run to go by: there what takes long comes first, so that both workers
 * end together.
 */
module.exports = class LongestFirst extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const ordered = /** @type {typeof tests} */ (super.sort(tests));
    const isLong = (/** @type {import('@jest/test-result').Test} */ test) =>
      test.duration === undefined && LONG.test(test.path.replaceAll('\\', '/'));
    return [...ordered.filter(isLong), ...ordered.filter((test) => !isLong(test))];
  }
};
