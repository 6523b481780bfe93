import { Card, RadioGroup, Switch } from '../../ui';
import { ColourField } from '../../ui/colour-field';
import type { Banner, Colours, Editor } from './draft';
import { FieldWarnings } from './warnings';

const COLOURS: readonly (readonly [keyof Colours, string])[] = [
  ['background', 'Background'],
  ['text', 'Text'],
  ['button_background', 'Buttons'],
  ['button_text', 'Text on buttons'],
];

const THEMES: readonly (readonly [Banner['theme'], string, string?])[] = [
  ['auto', 'Follow the visitor’s system'],
  ['light', 'Always light'],
  ['dark', 'Always dark'],
];

/** Colours for light and dark mode, with a warning where contrast is too low. */
export function ColourFields({ editor, derived }: { editor: Editor; derived: Colours | undefined }) {
  const { banner } = editor.value;
  const { at = 'settings.banner' } = editor;
  const own = banner.dark_colours;
  return (
    <Card title="Colours">
      <RadioGroup
        label="Theme"
        name={`${at}.theme`}
        options={THEMES}
        value={banner.theme}
        onChange={(theme) => editor.setBanner({ theme })}
      />
      <Palette
        path={`${at}.colours`}
        title="Light"
        colours={banner.colours}
        onChange={(colours) => editor.setBanner({ colours })}
      />
      <Switch
        label="Own colours for dark mode"
        hint="Otherwise they are derived from the light ones."
        value={own !== undefined}
        onChange={(isOwn) =>
          editor.setBanner({ dark_colours: isOwn ? (derived ?? banner.colours) : undefined })
        }
      />
      {own === undefined ? (
        <FieldWarnings of={`${at}.dark_colours`} />
      ) : (
        <Palette
          path={`${at}.dark_colours`}
          title="Dark"
          colours={own}
          onChange={(dark_colours) => editor.setBanner({ dark_colours })}
        />
      )}
    </Card>
  );
}

function Palette({
  path,
  title,
  colours,
  onChange,
}: {
  path: string;
  title: string;
  colours: Colours;
  onChange: (colours: Colours) => void;
}) {
  return (
    <fieldset className="entry-group">
      <legend>{title}</legend>
      <div className="two">
        {COLOURS.map(([key, name]) => (
          <div key={key} className="stack">
            <ColourField
              label={name}
              name={`${path}.${key}`}
              isRequired
              value={colours[key]}
              onChange={(value) => onChange({ ...colours, [key]: value })}
            />
            <FieldWarnings of={`${path}.${key}`} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
