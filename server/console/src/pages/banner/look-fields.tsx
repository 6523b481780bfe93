import { Button, Card, CheckboxGroup, RadioGroup, Switch } from '../../ui';
import style from './banner.module.css';
import { CookieFields } from './cookie-fields';
import type { Banner, Editor } from './draft';
import { PlaceFields } from './place-fields';
import { FieldWarnings } from './warnings';

type ButtonName = Banner['first_layer_buttons'][number];

const BUTTONS: readonly (readonly [ButtonName, string])[] = [
  ['accept_all', 'Accept all'],
  ['reject_all', 'Reject all'],
  ['settings', 'Settings'],
];

/** Layout, position, buttons, and how to reopen the settings. */
export function LookFields({ editor }: { editor: Editor }) {
  const { banner } = editor.value;
  return (
    <Card title="Layout">
      <PlaceFields editor={editor} />
      <Buttons editor={editor} />
      <RadioGroup
        label="How visitors change their choice"
        name="settings.banner.control"
        options={[
          ['floating', 'A floating button', 'Always on the page (GDPR Art. 7(3)).'],
          ['custom', 'A link or button of your own', 'It calls Avow.show().'],
        ]}
        value={banner.control ?? 'floating'}
        onChange={(control) => editor.setBanner({ control })}
      />
      <Switch
        label="Google Consent Mode v2"
        hint="Tells Google’s tags what a visitor has allowed."
        name="settings.banner.google_consent_mode"
        value={banner.google_consent_mode ?? true}
        onChange={(google_consent_mode) => editor.setBanner({ google_consent_mode })}
      />
      <CookieFields editor={editor} />
    </Card>
  );
}

function Buttons({ editor }: { editor: Editor }) {
  const chosen = editor.value.banner.first_layer_buttons;
  const set = (first_layer_buttons: ButtonName[]) => editor.setBanner({ first_layer_buttons });
  const nameOf = (button: ButtonName) => BUTTONS.find(([key]) => key === button)?.[1] ?? button;
  const earlier = (at: number) =>
    set([...chosen.slice(0, at - 1), chosen[at], chosen[at - 1], ...chosen.slice(at + 1)] as ButtonName[]);
  return (
    <>
      <CheckboxGroup
        label="Buttons of the first layer"
        name="settings.banner.first_layer_buttons"
        options={BUTTONS}
        value={chosen}
        // Buttons that stay keep their order.
        onChange={(next) =>
          set([...chosen.filter((one) => next.includes(one)), ...next.filter((one) => !chosen.includes(one))])
        }
      />
      <FieldWarnings of="settings.banner.first_layer_buttons" />
      {chosen.length > 1 && (
        <ol className={style.buttonOrder} aria-label="Order of the buttons">
          {chosen.map((button, at) => (
            <li key={button}>
              <div className="row">
                {nameOf(button)}
                {at > 0 && (
                  <Button small aria-label={`Earlier: ${nameOf(button)}`} onPress={() => earlier(at)}>
                    Earlier
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
