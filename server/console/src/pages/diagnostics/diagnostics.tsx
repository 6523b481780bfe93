import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Report } from '../../../../../sdk/banner/src/debug/report';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Card, CodeBlock, GuideLink, PageHeader, QueryState, TextArea } from '../../ui';
import { LastScan } from './last-scan';
import { MOST_TEXT, readReport } from './read-report';
import { ReportView } from './report-view';

/** What a page of the site loads under which state of consent: how to see it there, and what a copied report says. */
export default function Diagnostics() {
  const [text, setText] = useState('');
  const read = useMemo(() => tryToRead(text), [text]);
  return (
    <>
      <PageHeader title="Diagnostics" actions={<GuideLink to="guides/diagnostics">How to use it</GuideLink>}>
        See on a page of your site what was loaded under which state of consent, what waits, and what Google
        and others were told.
      </PageHeader>
      <Start />
      <Card title="Read a report">
        <TextArea
          label="Report"
          description="What “Copy report” has copied. It is read in this browser and sent nowhere."
          rows={4}
          isConditional
          value={text}
          onChange={setText}
        />
        <div className="row">
          <FileTrigger
            acceptedFileTypes={['.json', '.txt', 'application/json', 'text/plain']}
            onSelect={(files) =>
              void files?.[0]
                ?.slice(0, MOST_TEXT + 1)
                .text()
                .then(setText)
            }
          >
            <Button small>Choose a file</Button>
          </FileTrigger>
          {text !== '' && (
            <Button small onPress={() => setText('')}>
              Clear
            </Button>
          )}
        </div>
        {typeof read === 'string' && (
          <Alert tone="bad" title="This is not a report" live>
            {read}
          </Alert>
        )}
      </Card>
      {typeof read === 'object' && <ReportView report={read} />}
      <LastScan />
    </>
  );
}

function tryToRead(text: string): Report | string | undefined {
  if (text.trim() === '') return undefined;
  try {
    return readReport(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The line and the bookmark, with the host that the site's script comes from. */
function Start() {
  const { token } = useSite();
  const domains = useAnswer(keys.site(token, 'domains'), (api) => api.listDomains({ token }));
  return (
    <Card title="On a page of the site">
      <p>
        Open a page in a profile without earlier decisions, open the console of the browser’s developer tools,
        and run this line. A panel opens over the page. Nobody but you sees it, it sends nothing and stores
        nothing. It is gone when you leave the page; run the line again on the next one.
      </p>
      <QueryState query={domains}>
        {({ items }) => {
          const line = lineOf(items[0]?.script_url.split('/api/bundles/', 1)[0] ?? location.origin);
          return (
            <div className="stack">
              <CodeBlock label="Line for the console" code={line} />
              <CodeBlock label="Address of a bookmark" code={`javascript:void ${line}`} />
            </div>
          );
        }}
      </QueryState>
    </Card>
  );
}

const lineOf = (server: string): string => `import('${server}/debug.js').then(() => avowDebug())`;
