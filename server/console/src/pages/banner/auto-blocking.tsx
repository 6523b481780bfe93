import { keys, type Schemas, type Site, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Alert,
  Card,
  Form,
  GuideLink,
  Link,
  PageHeader,
  QueryState,
  Select,
  Switch,
  TextField,
  Time,
} from '../../ui';
import { Rows } from '../settings/rows';
import { HeldHosts } from './held-hosts';
import { BannerSections } from './sections';
import { useSettingsForm } from './use-settings-form';

type Own = Schemas['AutoBlockingRule'];

interface Draft {
  isOn: boolean;
  rules: Own[];
  /** '' lets them pass. */
  unclassified: string;
}

const toDraft = ({ settings: { auto_blocking: set } }: Site): Draft => ({
  isOn: set?.enabled ?? false,
  rules: set?.rules ?? [],
  unclassified: set?.unclassified ?? '',
});

/** Kept as a whole when it is switched off, and left out where there is nothing to keep. */
const toSettings = ({ isOn, rules, unclassified }: Draft): Schemas['SettingsPatch'] => ({
  auto_blocking:
    isOn || rules.length > 0 || unclassified !== ''
      ? { enabled: isOn, rules: rules.map(tidy), unclassified: unclassified || null }
      : null,
});

/** As people paste it: without scheme, the host in lower case and without a dot at its end. */
const tidy = ({ place, category }: Own): Own => {
  const [host = '', ...path] = place
    .trim()
    .replace(/^https?:\/\//i, '')
    .split('/');
  const rest = path.join('/');
  return { place: host.toLowerCase().replace(/\.$/, '') + (rest === '' ? '' : `/${rest}`), category };
};

/** What nobody has marked up, and for which category it waits. */
export default function AutoBlockingPage() {
  const site = useSite();
  const { token, settings, may } = site;
  const form = useSettingsForm({
    toDraft,
    toSettings,
    success: 'Auto-blocking saved; visitors get it when you publish the banner',
  });
  const query = useAnswer(
    keys.site(token, 'auto-blocking', settings.auto_blocking, settings.categories),
    (api, signal) => api.getAutoBlocking({ token }, { signal }),
  );
  const isOwner = may('owner');
  const { value, set } = form;
  const rule = (place: string, category: string | null) =>
    set({ rules: [...value.rules.filter((one) => one.place !== place), { place, category }] });
  return (
    <>
      <PageHeader title="Auto-blocking">
        Scripts, frames, images and requests of known trackers wait for consent, also where nobody has marked
        them up. <GuideLink to="guides/auto-blocking">What it can and cannot do</GuideLink>
      </PageHeader>
      <BannerSections />
      {isOwner ? <Editor {...form} /> : <Alert>Only owners can change this.</Alert>}
      <Card title="Hosts">
        <QueryState query={query}>
          {({ places, scanned_at: scannedAt, outdated, crowded }) => (
            <>
              {outdated && (
                <Alert tone="warn">
                  Visitors’ pages hold something else than what stands here: publish the banner, and replace
                  the snippet in your pages.
                </Alert>
              )}
              {crowded && (
                <Alert tone="warn">
                  Scans found more than counts: the 100 pages that were scanned last, and of them 2,000 hosts.
                  Make rules of what must wait.
                </Alert>
              )}
              <p className="muted">
                {scannedAt === null ? (
                  <>No scan is kept. What its pages load is found by one.</>
                ) : (
                  <>
                    By the newest scan of each page, the last <Time at={scannedAt} />, and the settings as
                    they are saved.
                  </>
                )}{' '}
                <Link to={site.path('scans')}>Cookie scans</Link>
              </p>
              <HeldHosts places={places} onRule={isOwner && value.isOn ? rule : undefined} />
            </>
          )}
        </QueryState>
      </Card>
    </>
  );
}

function Editor({ value, set, form }: ReturnType<typeof useSettingsForm<Draft>>) {
  const { categories } = useSite().settings;
  const optional = categories
    .filter(({ required }) => !required)
    .map(({ key, name }) => [key, `Wait for ${name}`] as const);
  return (
    <Form {...form}>
      <Card title="What waits">
        <Switch
          label="Hold what nobody has marked up"
          hint="Replace the snippet in your pages each time the banner is published with other rules: it holds them, so that they are there before anything else. Switched off, the banner lets go of what pages with the snippet of before hold. Mark-up with data-category stays the surest way."
          name="settings.auto_blocking"
          value={value.isOn}
          onChange={(isOn) => set({ isOn })}
        />
        {value.isOn && (
          <>
            <Select
              label="Hosts that a scan found and nobody knows"
              description="Most of a page’s hosts are known to be harmless or not. Of others, somebody should say what they are for."
              name="settings.auto_blocking.unclassified"
              isRequired
              options={[['', 'Let pass'], ...optional]}
              value={value.unclassified}
              onChange={(unclassified) => set({ unclassified })}
            />
            <Rows
              rows={value.rules}
              onChange={(rules) => set({ rules })}
              titleOf={({ place }, index) => place || `rule ${index + 1}`}
              add="Add a rule of your own"
              make={(): Own => ({ place: '', category: null })}
            >
              {({ place, category }, index, change) => (
                <div className="two">
                  <TextField
                    label="Host, or beginning of addresses"
                    description="Such as tracker.example with its subdomains, or cdn.example/pixel/."
                    name={`settings.auto_blocking.rules.${index}.place`}
                    isRequired
                    maxLength={220}
                    value={place}
                    onChange={(next) => change({ place: next })}
                  />
                  <Select
                    label="What is loaded from there"
                    name={`settings.auto_blocking.rules.${index}.category`}
                    isRequired
                    options={[['', 'Never waits'], ...optional]}
                    value={category ?? ''}
                    onChange={(next) => change({ category: next || null })}
                  />
                </div>
              )}
            </Rows>
          </>
        )}
      </Card>
    </Form>
  );
}
