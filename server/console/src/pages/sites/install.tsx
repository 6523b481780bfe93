import { useEffect } from 'react';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Button,
  ButtonLink,
  Card,
  CodeBlock,
  ErrorState,
  Link,
  Loading,
  PageHeader,
  QueryState,
} from '../../ui';
import { Arrivals } from './arrivals';
import { Steps } from './steps';

/** The third step: the snippet to paste, and a check that it works. */
export default function Install() {
  const site = useSite();
  return (
    <>
      <PageHeader
        title="Install the banner"
        actions={<ButtonLink to={site.path()}>To the overview</ButtonLink>}
      >
        {site.name}, {site.domain}
      </PageHeader>
      <Steps current={3} />
      <Card title="Paste this into your pages">
        <p>
          Into the <code>&lt;head&gt;</code> of every page of {site.domain}, before all other scripts, just as
          it is. Your pages do not wait for it. Other forms of it are under{' '}
          <Link to={site.path('banner/published')}>Published banners</Link>.
        </p>
        <Snippet />
      </Card>
      <Card title="Then open a page of your site">
        <Arrivals />
      </Card>
    </>
  );
}

function Snippet() {
  const { token } = useSite();
  const bundles = useAnswer(keys.site(token, 'bundles', 'newest'), (api, signal) =>
    api.listBundles({ token, limit: 1 }, { signal }),
  );
  return <QueryState query={bundles}>{({ items }) => <Newest bundle={items[0]} />}</QueryState>;
}

function Newest({ bundle }: { bundle: Schemas['Bundle'] | undefined }) {
  const { token, may } = useSite();
  const generate = useAction((api, _: undefined) => api.generateBundle({ token, body: {} }), {
    changes: [keys.site(token, 'bundles'), keys.site(token, 'warnings')],
  });
  const isOwner = may('owner');
  const wanted = bundle === undefined && isOwner;
  const { run } = generate;
  useEffect(() => {
    // Makes the first snippet at once, because users come here for it.
    if (wanted) run(undefined);
  }, [wanted, run]);
  if (bundle !== undefined) return <CodeBlock label="Snippet" code={bundle.snippet} />;
  if (!isOwner) return <p>There is no snippet yet: ask an owner of the site to make it.</p>;
  if (generate.error !== null) {
    return <ErrorState error={generate.error} retry={() => run(undefined)} />;
  }
  return generate.pending ? (
    <Loading lines={2} label="Making the script" />
  ) : (
    <Button onPress={() => run(undefined)}>Make the snippet</Button>
  );
}
