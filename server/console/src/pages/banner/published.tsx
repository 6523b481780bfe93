import { keys, type Schemas, useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { Allowed, useSite } from '../../app/site';
import { Alert, Badge, Button, Card, CodeBlock, Link, PagedTable, PageHeader, Time } from '../../ui';
import { AskAgain } from './ask-again';
import style from './banner.module.css';
import { useBundles } from './published-pane';
import { BannerSections } from './sections';

type Bundle = Schemas['Bundle'];

/** The current banner, the snippet for the site's pages, and all banners ever published. */
export default function Published() {
  const { path } = useSite();
  const bundles = useBundles();
  const current = bundles.rows.find((bundle) => bundle.current);
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
      {current !== undefined && <Snippets bundle={current} />}
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
            cell: (row) => (row.current ? <Badge tone="good">Current</Badge> : <Badge>Earlier</Badge>),
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
  const publish = useAction((api) => api.generateBundle({ token }), {
    success: 'Banner published',
    changes: [keys.site(token), keys.sites],
  });
  const failure = publish.error === null ? undefined : describe(publish.error);
  return (
    <div className="stack">
      <Button variant="primary" isPending={publish.pending} onPress={() => publish.run(undefined)}>
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

function Snippets({ bundle }: { bundle: Bundle }) {
  return (
    <Card title="Snippet">
      <p>
        Paste it into the <code>&lt;head&gt;</code> of every page, before all other scripts. It loads new
        banners within a minute of publishing.
      </p>
      <CodeBlock label="Snippet" code={bundle.snippet} />
      <details className={style.textGroup}>
        <summary>Pinned to this banner</summary>
        <div className="stack">
          <p className="muted">
            With an integrity hash (SRI): browsers run only exactly this script. Replace the snippet each time
            you publish.
          </p>
          <CodeBlock label="Pinned snippet" code={bundle.snippet_pinned} />
        </div>
      </details>
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
