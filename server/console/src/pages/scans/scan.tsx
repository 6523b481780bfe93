import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, FieldList, Loading, PageHeader, QueryState, Time, type Tone } from '../../ui';
import { ScanChanges } from './changes';
import { CookiesFound } from './cookies-found';
import { HostsFound } from './hosts-found';
import style from './scans.module.css';
import { isUnderWay, POLL, type Scan, ScanState } from './state';
import { StoredFound } from './stored-found';

/** One scan: its state while it runs, then what it found. */
export default function ScanPage() {
  const { id = '' } = useParams();
  const { token, path } = useSite();
  const [over, setOver] = useState(false);
  const scan = useAnswer(
    keys.site(token, 'scans', id),
    (api, signal) => api.getScan({ scan_id: id }, { signal }),
    { refetchInterval: over ? false : POLL },
  );
  const { data } = scan;
  useEffect(() => setOver(data !== undefined && !isUnderWay(data)), [data]);
  return (
    <>
      <PageHeader title="Cookie scan" back={[path('scans'), 'Cookie scans']}>
        {data?.url}
      </PageHeader>
      <QueryState query={scan}>{(found) => <Result scan={found} />}</QueryState>
    </>
  );
}

function Result({ scan }: { scan: Scan }) {
  return (
    <>
      <Card title="The visit">
        <FieldList
          items={[
            ['State', <ScanState key="state" scan={scan} />],
            ['Started', scan.started_at && <Time key="start" at={scan.started_at} />],
            ['Finished', scan.finished_at && <Time key="end" at={scan.finished_at} />],
            ['Visited with', scan.engine && ENGINES[scan.engine]],
            [
              'Consent banner',
              scan.banner_detected === null ? null : scan.banner_detected ? 'Seen' : 'Not seen',
            ],
          ]}
        />
        <Progress scan={scan} />
      </Card>
      {scan.status === 'done' && (
        <>
          <Findings findings={scan.findings} />
          <ScanChanges scan={scan} />
          <CookiesFound scan={scan} />
          <StoredFound scan={scan} />
          <HostsFound scan={scan} />
        </>
      )}
    </>
  );
}

const ENGINES = {
  browser: 'A browser, which runs scripts',
  http: 'No browser: headers and page source only, no scripts',
};

function Progress({ scan }: { scan: Scan }) {
  if (isUnderWay(scan)) return <Loading lines={3} label="The page is being visited" />;
  return (
    <div role="status" className={style.scanState}>
      {scan.status === 'failed' && (
        <Alert tone="bad" title="The page could not be visited">
          {scan.error}
        </Alert>
      )}
      {scan.engine === 'http' && (
        <Alert tone="warn" title="Scripts were not run">
          Scripts set most cookies and everything else in the browser’s storage. With Chromium on the server,
          a scan sees the same as a visitor’s browser.
        </Alert>
      )}
    </div>
  );
}

const TONES: Record<Scan['findings'][number]['severity'], Tone> = {
  info: 'info',
  warning: 'warn',
  critical: 'bad',
};

const TITLES: Record<Scan['findings'][number]['severity'], string> = {
  info: 'Good to know',
  warning: 'Should be fixed',
  critical: 'Must be fixed',
};

function Findings({ findings }: { findings: Scan['findings'] }) {
  return (
    <Card title="Findings">
      {findings.length === 0 && <Alert tone="good" title="Nothing to fix" />}
      {findings.map(({ rule, severity, message }) => (
        <Alert key={`${rule} ${message}`} tone={TONES[severity]} title={TITLES[severity]}>
          {message}
        </Alert>
      ))}
    </Card>
  );
}
