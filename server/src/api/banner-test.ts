import type { Knex } from 'knex';
import { BundleRow } from '../db/models';
import { sumTests, type TestSum } from '../db/test-counts';
import { optionsOf } from '../domain/banner/options';
import { figuresOf, type VersionCounts } from '../domain/banner/test-figures';
import { type KeptTest, runningTest, testChange, testDigest } from '../domain/banner/tests';
import { MemberTurns } from '../domain/fair-turns';
import type { BundleOptions, TestVersion } from '../domain/types';
import { type Handler, senderOf } from './handler';

/** Reports that are read at once: a test of a year reads its days. */
const REPORTS = new MemberTurns({ account: 1, group: 4 });

export const getBannerTest: Handler<'getBannerTest'> = async ({ db }, { environment, caller }) => {
  const { id, settings, banner_tests: tests } = environment;
  const oldest = tests.at(-1);
  const numbers = tests.map(({ number }) => number);
  const sums =
    oldest === undefined
      ? []
      : await REPORTS.take(
          senderOf(caller),
          () => sumTests(db, id, numbers, new Date(oldest.started_at)),
          caller.patience,
        );
  const figures = (test: KeptTest) =>
    figuresOf(test, countsOf(sums, test.number, 'a'), countsOf(sums, test.number, 'b'));
  const running = runningTest(tests);
  const publishing = testChange(
    tests,
    settings.banner_test == null ? undefined : testDigest(settings, await optionsOfRunning(db, id, running)),
  );
  return {
    state: running !== undefined ? 'running' : settings.banner_test == null ? 'none' : 'waiting',
    publishing,
    current: running === undefined ? null : figures(running),
    ended: tests.filter((test) => test !== running).map(figures),
  };
};

/** What was chosen for the versions of the test that runs, so that the settings alone are compared. */
async function optionsOfRunning(db: Knex, id: string, running: KeptTest | undefined): Promise<BundleOptions> {
  const bundle = running && (await BundleRow.query(db).findById([id, running.a]).select('config'));
  return bundle === undefined ? {} : optionsOf(bundle);
}

function countsOf(sums: readonly TestSum[], number: number, version: TestVersion): VersionCounts {
  const of = (what: string, isBot = false): number =>
    sums.find(({ key, bot }) => key === `${number}${version}:${what}` && bot === isBot)?.n ?? 0;
  return {
    impressions: of('impression'),
    accept_all: of('accept_all'),
    reject_all: of('reject_all'),
    save_preferences: of('save_preferences'),
    bots: of('impression', true),
  };
}
