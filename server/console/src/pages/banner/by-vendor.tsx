import { keys, type Schemas, type Site, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, Form, Link, PageHeader, QueryState, Switch, Table } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import { useVendors } from '../vendors/list';
import style from './banner.module.css';
import { BannerSections } from './sections';
import { useSettled } from './use-preview';
import { useSettingsForm } from './use-settings-form';

interface Draft {
  isOn: boolean;
}

const toDraft = ({ settings }: Site): Draft => ({ isOn: settings.choice_by_vendor === true });
const toSettings = ({ isOn }: Draft): Schemas['SettingsPatch'] => ({ choice_by_vendor: isOn });

/** Whether visitors can allow and refuse each vendor by itself, and whom they are asked about. */
export default function ByVendorPage() {
  const { may } = useSite();
  return (
    <>
      <PageHeader title="Choice by vendor">
        Visitors can allow one vendor of a category and refuse another.
      </PageHeader>
      <BannerSections />
      {may('owner') ? <Editor /> : <Alert>Only owners can change this.</Alert>}
    </>
  );
}

function Editor() {
  const { settings } = useSite();
  const { value, set, form } = useSettingsForm({
    toDraft,
    toSettings,
    success: 'Choice by vendor saved; visitors get it when you publish the banner',
  });
  const hasTcf = settings.tcf != null;
  return (
    <div className={style.bannerPage}>
      <Form {...form}>
        <Card title="Vendors">
          <Switch
            label="Ask about each vendor"
            hint="In the settings of the banner, below each category. On blocked content visitors can allow its vendor, or load it once. What visitors decided before holds by category until they decide anew."
            name="settings.choice_by_vendor"
            value={value.isOn}
            isDisabled={hasTcf && !value.isOn}
            onChange={(isOn) => set({ isOn })}
          />
          {hasTcf && (
            <Alert>The site takes part in IAB Europe’s framework, which asks about vendors itself.</Alert>
          )}
        </Card>
      </Form>
      {value.isOn && !hasTcf && <Preview draft={value} />}
    </div>
  );
}

/** The banner with its switches, and whom it asks about. */
function Preview({ draft }: { draft: Draft }) {
  const { token, settings: saved, path } = useSite();
  const settings = useSettled(toSettings(draft));
  const vendors = useVendors().data?.vendors ?? [];
  const query = useAnswer(
    keys.site(token, 'preview', settings, 'by-vendor'),
    (api, signal) => api.previewBundle({ token, body: { settings } }, { signal }),
    { keep: true },
  );
  const frame = { layer: 'settings' as const, language: saved.default_language, title: 'The banner' };
  return (
    <aside className={style.bannerPreview} aria-label="Preview">
      <Card title="Preview">
        <QueryState query={query} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script, config }) => (
            <>
              <PreviewFrame script={script} vendors={vendors} {...frame} />
              <Asked vendors={config.asked_vendors ?? []} />
            </>
          )}
        </QueryState>
        <p>
          <Link to={path('vendors')}>The vendor list</Link>
        </p>
      </Card>
    </aside>
  );
}

function Asked({ vendors }: { vendors: readonly Schemas['AskedVendor'][] }) {
  const { categories } = useSite().settings;
  const nameOf = (key: string): string => categories.find((one) => one.key === key)?.name ?? key;
  if (vendors.length === 0)
    return (
      <Alert tone="warn" live>
        No vendor of the list has a category that visitors can refuse, so that the banner asks about none.
      </Alert>
    );
  return (
    <Table
      label="Vendors that visitors are asked about"
      rows={vendors}
      rowKey={({ id }) => `${id}`}
      columns={[
        { title: 'Vendor', cell: ({ name }) => name },
        { title: 'Categories', cell: (vendor) => vendor.categories.map(nameOf).join(', ') },
        { title: 'Number', cell: ({ id }) => <code>{id}</code> },
      ]}
    />
  );
}
