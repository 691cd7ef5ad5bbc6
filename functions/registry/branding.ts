import * as z from 'zod';

/** The sheet of a mail, in light and in dark mode, as the template has it. */
const LIGHT_SHEET = '#ffffff';
const DARK_SHEET = '#22252c';

/** The least contrast of text with what is behind it (WCAG 2.2, 1.4.3, level AA). */
const LEAST_CONTRAST = 4.5;

const COLOUR = /^#[0-9A-Fa-f]{6}$/;

/** Red, green and blue of a colour such as `#1d4ed8`, each 0 to 255. */
function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** What is wrong with a colour as text on the white sheet, `undefined` for nothing. */
export function colourFault(colour: string): string | undefined {
  const ratio = contrast(colour, LIGHT_SHEET);
  if (ratio >= LEAST_CONTRAST) return undefined;
  // Rounded down, so that it never reads as enough.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  return `has a contrast of ${shown} to 1 with white, and needs ${LEAST_CONTRAST} to 1: choose a darker colour`;
}

/** The colour, as much lighter as it must be to be read on the dark sheet. */
export function onDarkSheet(colour: string): string {
  for (let white = 0; white < 20; white += 1) {
    const lighter = channels(colour).map((channel) => Math.round(channel + ((255 - channel) * white) / 20));
    const mixed = `#${lighter.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(mixed, DARK_SHEET) >= LEAST_CONTRAST) return mixed;
  }
  return LIGHT_SHEET;
}

const LONGEST_URL = 1_000;

/** All recipients get the same address: nothing in it may name one of them or carry a password. */
function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && !/[\s\p{Cc}"'<>\\{}]/u.test(text);
}

function isLogo(text: string): boolean {
  return isPublicUrl(text) && !/[?#@]/.test(text);
}

function isHelp(text: string): boolean {
  if (!text.startsWith('mailto:')) return isPublicUrl(text);
  return z.email().safeParse(text.slice('mailto:'.length)).success;
}

/** Each member of `branding`. The settings of a stage and the registry have the same. */
export const BRANDING = {
  senderName: () =>
    z
      .string()
      .regex(
        /^[^<>"\\\p{Cc}\p{Cf}]*[^\s<>"\\\p{Cc}\p{Cf}][^<>"\\\p{Cc}\p{Cf}]*$/u,
        'must be a name without < > " \\ or line breaks',
      )
      .max(100),
  logo: () =>
    z.string().max(LONGEST_URL).refine(isLogo, 'must be an https URL without "?", "#" and credentials'),
  colour: () =>
    z
      .string()
      .regex(COLOUR, { error: 'must be a colour such as #1d4ed8', abort: true })
      .superRefine((colour, context) => {
        const message = colourFault(colour);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
  help: () => z.string().max(LONGEST_URL).refine(isHelp, 'must be an https URL, or mailto: and one address'),
  address: () =>
    z
      .string()
      .min(1)
      .max(300)
      .regex(/^[^\p{Cc}]*$/u, 'must be one line'),
};

export const brandingSchema = z.lazy(() =>
  z.object({
    /** The name in `From`, at the top and at the end of mails. */
    senderName: BRANDING.senderName().optional(),
    logo: BRANDING.logo().optional(),
    colour: BRANDING.colour().optional(),
    help: BRANDING.help().optional(),
    address: BRANDING.address().optional(),
    /** Whether the end of the mail says that Daybook made it. */
    footer: z.boolean().optional(),
  }),
);

/** Members left out are not shown. */
export type Branding = z.infer<typeof brandingSchema>;
