import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, CodeBlock, GuideLink, Link, QueryState } from '../../ui';
import { frameOf, OPEN_SETTINGS, pagesOf, switchesOf } from './page-snippets';
import style from './settings.module.css';

/** The pages that a site can link to, and how to show them in its own. */
export function PublicPagesSection() {
  const { token } = useSite();
  const proofs = useAnswer(keys.site(token, 'domains'), (api) => api.listDomains({ token }));
  return <QueryState query={proofs}>{({ items }) => <Pages proofs={items} />}</QueryState>;
}

function Pages({ proofs }: { proofs: Schemas['DomainProof'][] }) {
  const { token, path, status } = useSite();
  const script = proofs[0]?.script_url ?? location.origin;
  const pages = pagesOf(script.split('/api/bundles/', 1)[0] ?? '', token);
  const isFramed = proofs.some(({ proven }) => proven);
  return (
    <div className="stack">
      <Card title="Public pages" actions={<GuideLink to="guides/public-pages">How to use them</GuideLink>}>
        <p>
          Link to these pages from yours. They have the colours, texts and languages of your banner, set no
          cookie and run no script. A visitor gets them in the language of the browser; add{' '}
          <code>?lang=de</code> to an address to choose another of your languages.
        </p>
        {status !== 'active' && <Alert tone="warn">The site is not active: its pages are not shown.</Alert>}
        {!isFramed && (
          <Alert>
            None of your domains is proven, so that no page may show these in a frame. You can prove one under{' '}
            <Link to={path('settings/site')}>Site and domains</Link>.
          </Alert>
        )}
      </Card>
      <Card title="Request form">
        <p>
          Anybody can make a request about their data, without an account. Where this server sends mail, the
          address is confirmed by it, and a mailed link leads to what has become of the request.
        </p>
        <Address url={pages.request} />
        <CodeBlock
          label="Frame of the request form"
          code={frameOf(pages.request, 'Request about your data')}
        />
      </Card>
      <Card title="Privacy preferences">
        <p>
          What your banner asks for, and the way to its settings. Visitors’ browsers keep the choice for your
          site alone, so that the page leads to your start page; these lines there, and wherever you like,
          open the settings.
        </p>
        <Address url={pages.preferences} />
        <CodeBlock label="Lines that open the settings" code={OPEN_SETTINGS} />
        <CodeBlock label="Lines that show the switches in a page" code={switchesOf(pages.switches)} />
        <CodeBlock
          label="Frame of the privacy preferences"
          code={frameOf(pages.preferences, 'Privacy preferences')}
        />
      </Card>
      <Card title="Cookie declaration">
        <p>
          Your vendors with what they store, and what scans found besides. For a policy page of your own there
          is the same without a page around it, and as data.
        </p>
        <Address url={pages.cookies} />
        <CodeBlock label="Frame of the cookie declaration" code={frameOf(pages.cookies, 'Cookies')} />
        <CodeBlock label="Line that lists the cookies in a page" code={pages.embed} />
        <CodeBlock label="Address of the fragment" code={pages.fragment} />
        <CodeBlock label="Address of the data" code={pages.json} />
      </Card>
    </div>
  );
}

const Address = ({ url }: { url: string }) => (
  <p className={style.address}>
    <a href={url} target="_blank" rel="noopener">
      {url}
    </a>
  </p>
);
