import * as z from 'zod';
import { COLOUR, colourFault } from './colour.ts';

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
