import '../settings/settings.css';
import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useSite } from '../../app/site';
import { Alert, Button, ConfirmDialog, Form, Missing, PageHeader, QueryState, useDraft } from '../../ui';
import { CookieRows } from './cookie-rows';
import { emptyDraft, fromDraft, toDraft } from './draft';
import { GeneralFields, PurposeFields, UrlRows } from './fields';
import { nextId, put, useChangeVendors, useVendors, type Vendor, without } from './list';

/** One vendor, to read or to change; or a new one. */
export default function VendorPage() {
  const { id } = useParams();
  const list = useVendors();
  return (
    <QueryState query={list}>
      {({ vendors }) => {
        const vendor = vendors.find((one) => String(one.id) === id);
        if (id !== undefined && vendor === undefined) return <Missing />;
        return <Editor vendor={vendor} />;
      }}
    </QueryState>
  );
}

function Editor({ vendor }: { vendor: Vendor | undefined }) {
  const { path, may, settings } = useSite();
  const navigate = useNavigate();
  const mayEdit = may('owner');
  const draft = useDraft(vendor === undefined ? emptyDraft(settings.default_language) : toDraft(vendor));
  const id = useRef(vendor?.id ?? 0);
  const save = useChangeVendors({
    success: 'Vendor saved',
    focus: () => id.current,
    onDone: () => {
      draft.saved(draft.value);
      void navigate(path('vendors'));
    },
  });
  const submit = () =>
    save.run((vendors) => {
      if (vendor === undefined) id.current = nextId(vendors);
      return put(fromDraft(id.current, draft.value))(vendors);
    });
  return (
    <>
      <PageHeader
        title={vendor?.name ?? 'New vendor'}
        back={[path('vendors'), 'Vendors and cookies']}
        actions={vendor !== undefined && mayEdit && <Remove vendor={vendor} />}
      >
        {vendor !== undefined && `Number ${vendor.id} in the list.`}
      </PageHeader>
      {!mayEdit && <Alert>Only owners change vendors. You can read them.</Alert>}
      <Form
        action={save}
        dirty={draft.dirty}
        onSubmit={submit}
        {...(mayEdit && { submit: vendor === undefined ? 'Add vendor' : 'Save vendor' })}
      >
        <fieldset className="section-fields" disabled={!mayEdit}>
          <GeneralFields draft={draft} />
          <UrlRows draft={draft} />
          <PurposeFields draft={draft} />
          <CookieRows draft={draft} />
        </fieldset>
      </Form>
    </>
  );
}

function Remove({ vendor }: { vendor: Vendor }) {
  const { path } = useSite();
  const navigate = useNavigate();
  const [asked, ask] = useState(false);
  const remove = useChangeVendors({
    success: 'Vendor removed',
    onDone: () => void navigate(path('vendors')),
  });
  return (
    <>
      <Button variant="danger" onPress={() => ask(true)}>
        Remove
      </Button>
      <ConfirmDialog
        isOpen={asked}
        title={`Remove ${vendor.name}?`}
        confirm="Remove"
        action={remove}
        onConfirm={() => remove.run(without(vendor.id))}
        onCancel={() => ask(false)}
      >
        Its purposes and {vendor.cookies.length} cookies go with it. Banners that were published keep the list
        that they were made with.
      </ConfirmDialog>
    </>
  );
}
