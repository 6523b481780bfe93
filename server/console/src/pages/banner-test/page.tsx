import { lazy, Suspense } from 'react';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, GuideLink, Loading, PageHeader, QueryState } from '../../ui';
import { BannerSections } from '../banner/sections';
import { Figures } from './figures';

/** Only for owners. */
const Editor = lazy(async () => ({ default: (await import('./editor')).Editor }));

/** Two versions of the banner side by side, and which of them more visitors answer. */
export default function BannerTestPage() {
  const { token, may } = useSite();
  const report = useAnswer(keys.site(token, 'banner-test'), (api, signal) =>
    api.getBannerTest({ token }, { signal }),
  );
  return (
    <>
      <PageHeader title="A/B test" actions={<GuideLink to="guides/ab-tests">How to read it</GuideLink>}>
        Some page views are shown another version of the banner. Its buttons, and what it asks, stay the same.
      </PageHeader>
      <BannerSections />
      <QueryState query={report}>
        {({ state, publishing, current, ended }) => (
          <div className="stack">
            {state === 'waiting' && (
              <Alert tone="warn">A test is saved and not published: visitors are shown one version.</Alert>
            )}
            {current !== null && <Figures test={current} title="Running test" />}
            {may('owner') ? (
              <Suspense fallback={<Loading lines={8} />}>
                <Editor isRunning={current !== null} isAsTested={publishing === 'nothing'} />
              </Suspense>
            ) : (
              <Alert>Only owners can start and end a test.</Alert>
            )}
            {ended.map((test) => (
              <Figures key={test.number} test={test} title={`Test ${test.number}, ended`} />
            ))}
          </div>
        )}
      </QueryState>
    </>
  );
}
