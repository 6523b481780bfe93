import { type ReactNode, useState } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, Card, CodeBlock, Link, PagedTable, PageHeader, Time } from '../../ui';
import { AskAgain } from './ask-again';
import style from './banner.module.css';
import { BundleState } from './bundle-state';
import { EndsTest, endingOf } from './ends-test';
import { presentOf, useBundles } from './published-pane';
import { BannerSections } from './sections';
import { before, NewSnippet, StubText } from './snippet-text';

type Bundle = Schemas['Bundle'];

/** The current banner, the snippet for the site's pages, and all banners ever published. */
export default function Published() {
  const { path } = useSite();
  const bundles = useBundles();
  const current = presentOf(bundles.rows);
  return (
    <>
      <PageHeader
        title="Published banners"
        actions={
          <Allowed to="owner">
            <Publish />
          </Allowed>
        }
      >
        Every banner is kept as it was, so that what a visitor saw can be shown years later (GDPR Art. 7(1)).
      </PageHeader>
      <BannerSections />
      <Outdated />
      <AskAgain />
      {current !== undefined && (
        <>
          <NewSnippet bundle={current} before={before(current, bundles.rows)} />
          <Snippets bundle={current} />
        </>
      )}
      <PagedTable
        label="Published banners"
        pages={bundles}
        rowKey={({ hash }) => hash}
        empty={[
          'No banner is published yet',
          'Publish one: visitors get it as soon as the snippet is on your pages.',
        ]}
        columns={[
          { title: 'Banner', cell: ({ hash }) => <Link to={path(`banner/published/${hash}`)}>{hash}</Link> },
          {
            title: 'State',
            cell: (row) => <BundleState bundle={row} />,
          },
          { title: 'Published', cell: ({ published_at }) => <Time at={published_at} /> },
          { title: 'Settings', cell: ({ version }) => `Version ${version}` },
          { title: 'Languages', cell: ({ languages }) => languages.join(', ') },
          {
            title: 'Compressed',
            numeric: true,
            cell: ({ gzip_bytes }) => `${(gzip_bytes / 1024).toFixed(1)} KiB`,
          },
        ]}
      />
    </>
  );
}

function Outdated() {
  const { warnings } = useSite();
  return warnings
    .filter(({ code }) => code === 'bundle_outdated')
    .map(({ message }) => (
      <Alert key={message} tone="warn" title="Visitors get an older banner">
        {message}
      </Alert>
    ));
}

/** Makes a banner from the saved settings and publishes it. */
function Publish() {
  const { token } = useSite();
  const [ending, ask] = useState<string>();
  const publish = useAction(
    async (api, { isSure }: { isSure: boolean }) => {
      const ends = isSure ? undefined : await endingOf(api, token);
      if (ends === undefined) await api.generateBundle({ token });
      return ends;
    },
    {
      success: (ends) => (ends === undefined ? 'Banner published' : undefined),
      changes: [keys.site(token), keys.sites],
      onDone: ask,
    },
  );
  const failure = publish.error === null ? undefined : describe(publish.error);
  return (
    <div className="stack">
      <EndsTest
        ending={ending}
        onConfirm={() => {
          ask(undefined);
          publish.run({ isSure: true });
        }}
        onCancel={() => ask(undefined)}
      />
      <Button variant="primary" isPending={publish.pending} onPress={() => publish.run({ isSure: false })}>
        Publish the saved settings
      </Button>
      {failure !== undefined && (
        <Alert tone="bad" title={failure.title} live>
          {failure.text}
        </Alert>
      )}
    </div>
  );
}

/** Something else to paste, with what it is for. */
function Other({ title, label, code, children }: Copied) {
  return (
    <details className={style.textGroup}>
      <summary>{title}</summary>
      <div className="stack">
        <p className="muted">{children}</p>
        <CodeBlock label={label} code={code} />
      </div>
    </details>
  );
}

interface Copied {
  title: string;
  label: string;
  code: string;
  children: ReactNode;
}

function Snippets({ bundle }: { bundle: Bundle }) {
  return (
    <Card title="Snippet">
      <p>
        Paste it into the <code>&lt;head&gt;</code> of every page, before all other scripts. It loads new
        banners within two minutes of publishing.
      </p>
      <CodeBlock label="Snippet" code={bundle.snippet} />
      <StubText bundle={bundle} />
      <Other title="Pinned to this banner" label="Pinned snippet" code={bundle.snippet_pinned}>
        With an integrity hash (SRI): browsers run only exactly this script. Replace the snippet each time you
        publish.
      </Other>
      <Other
        title="One line, which the page waits for"
        label="Blocking snippet"
        code={bundle.snippet_blocking}
      >
        The snippet of earlier versions: pages that have it need no change. The first paint waits for it.
        Choose it where a script that follows needs the visitor’s decision, or all functions of window.Avow,
        at once.
      </Other>
      <Other
        title="With a Content-Security-Policy"
        label="Source for script-src"
        code={`'${bundle.snippet_csp_hash}'`}
      >
        A policy without 'unsafe-inline' names the hash of the snippet’s inline script, besides the host of
        this server. Or give both scripts the page’s nonce.
      </Other>
      {bundle.warnings
        .filter(({ code }) => code !== 'ask_again')
        .map(({ code, path, message }) => (
          <Alert key={`${code} ${path}`} tone="warn">
            {message}
          </Alert>
        ))}
    </Card>
  );
}
